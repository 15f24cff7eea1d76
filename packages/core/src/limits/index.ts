/** The rate-limit scheduler: budgets, stores of budgets, and the queues of waiting requests. */
export * as Budget from "./Budget.ts"
export * as BudgetStore from "./BudgetStore.ts"
export * as Limits from "./Limits.ts"
export type * as RequestClass from "./RequestClass.ts"
export type * as ScheduledRequest from "./ScheduledRequest.ts"
export * as Scheduler from "./Scheduler.ts"
export type * as BudgetStatus from "./BudgetStatus.ts"
