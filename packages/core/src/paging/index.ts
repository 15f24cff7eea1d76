/** Paged lists: pages, cursors and the `link` header. */
export * as LinkHeader from "./LinkHeader.ts"
export * as Page from "./Page.ts"
export * as Pages from "./Pages.ts"
