/** What a thread and whoever uses it say to each other. */

export type WorkerRequest =
  | { readonly _tag: "Call"; readonly id: number; readonly method: string; readonly input: unknown }
  | { readonly _tag: "Cancel"; readonly id: number }
  /** Stop whatever is under way, and end. */
  | { readonly _tag: "End" }

export type WorkerResponse =
  | { readonly _tag: "Event"; readonly id: number; readonly event: unknown }
  | { readonly _tag: "Done"; readonly id: number; readonly output: unknown }
  | { readonly _tag: "Failed"; readonly id: number; readonly detail: string }
