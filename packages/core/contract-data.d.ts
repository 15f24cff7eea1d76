import type { Plugin } from "rolldown"
/** The folder of the modules of the groups, which exist in the build only. */
export declare const groupFolder: string
/** Replaces modules by their value. */
export declare const evaluated: (paths: ReadonlyArray<string>) => Plugin
/** Replaces the modules of the contract's groups and routes by their values. */
export declare const contractData: Plugin
