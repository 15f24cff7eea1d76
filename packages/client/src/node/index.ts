/** What only programs on Node can use: the credentials of the user's environment. */
export { environment, type EnvironmentOptions } from "./environment.ts"
