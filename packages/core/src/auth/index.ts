/** Credentials whose tokens expire: apps, and sign-ins through a browser. */
export * as AppCredential from "./AppCredential.ts"
export * as AppKey from "./AppKey.ts"
export * as DeviceFlow from "./DeviceFlow.ts"
export * as InstallationCredential from "./InstallationCredential.ts"
export * as OAuth from "./OAuth.ts"
export * as PostForm from "./PostForm.ts"
