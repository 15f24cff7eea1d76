/** The screens of webhooks and of deliveries. */
import type { Screen } from "../Screen.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Delivery from "./Delivery.ts"
import * as HookDocument from "./HookDocument.ts"
import * as HookList from "./HookList.ts"
import * as HookRequests from "./HookRequests.ts"

/** The screens of the webhooks of repositories and organizations. */
export const screens: ReadonlyArray<Screen> = [HookRequests.ofRepository, HookRequests.ofOrganization].flatMap(
  (requests) => [
    HookList.screen(requests),
    HookDocument.screen(requests),
    Deliveries.screen(requests),
    Delivery.screen(requests)
  ]
)
