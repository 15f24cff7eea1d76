/** The rate-limit scheduler: what is known of a budget, where it is kept, and who may send when. */
export * as Budget from "./Budget.ts"
export * as Demand from "./Demand.ts"
export * as Limits from "./Limits.ts"
export * as Scheduler from "./Scheduler.ts"
export * as Store from "./Store.ts"
export * as View from "./View.ts"
export * as Window from "./Window.ts"
