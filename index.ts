export { SearchVisibilityApi } from './credentials/SearchVisibilityApi.credentials';
export { SearchVisibility } from './nodes/SearchVisibility/SearchVisibility.node';
export { SearchVisibilityTrigger } from './nodes/SearchVisibilityTrigger/SearchVisibilityTrigger.node';
