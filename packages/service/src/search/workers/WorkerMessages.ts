/** Message to a worker. */
export type WorkerRequest =
  | { readonly _tag: "Call"; readonly id: number; readonly method: string; readonly input: unknown }
  | { readonly _tag: "Cancel"; readonly id: number }
  /** Aborts all calls, releases resources and ends the worker. */
  | { readonly _tag: "End" }

/** Message from a worker: any number of events per call, then `Done` or `Failed`. */
export type WorkerResponse =
  | { readonly _tag: "Event"; readonly id: number; readonly event: unknown }
  | { readonly _tag: "Done"; readonly id: number; readonly output: unknown }
  | { readonly _tag: "Failed"; readonly id: number; readonly detail: string }
