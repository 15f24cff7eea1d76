/** The exports for Node only: the credentials of the user's environment. */
export { environment, type EnvironmentOptions } from "./environment.ts"
