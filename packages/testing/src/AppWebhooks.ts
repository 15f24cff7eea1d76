/** Webhooks of apps. Deliveries name the installation, so that the app can authenticate as the installation. */
import { nodeId } from "@tongs/service/api/NodeId"
import * as PayloadSignature from "@tongs/service/webhooks/PayloadSignature"
import type { PostRequest } from "@tongs/service/webhooks/HttpPost"

interface AppWebhook {
  readonly app: number
  readonly installation: number
  readonly secret: string | undefined
}

/** Creates an empty list. */
export const make = () => {
  const webhooks = new Map<string, AppWebhook>()
  return {
    /** Assigns a webhook to an app, or to no app. */
    set: (hook: number, webhook: AppWebhook | undefined): void => {
      if (webhook === undefined) webhooks.delete(String(hook))
      else webhooks.set(String(hook), webhook)
    },
    /** Returns the delivery with the members for an app. */
    complete: (request: PostRequest): PostRequest => {
      const webhook = webhooks.get(header(request, "-Hook-ID")?.[1] ?? "")
      if (webhook === undefined) return request
      const payload: object = JSON.parse(request.body)
      const id = webhook.installation
      const installation = { id, node_id: nodeId("IntegrationInstallation", id) }
      const body = JSON.stringify({ ...payload, installation })
      const target = header(request, "-Hook-Installation-Target-Type")?.[0]
      const targetId = header(request, "-Hook-Installation-Target-ID")?.[0]
      return {
        ...request,
        body,
        headers: {
          ...request.headers,
          ...(target === undefined ? {} : { [target]: "integration" }),
          ...(targetId === undefined ? {} : { [targetId]: String(webhook.app) }),
          ...PayloadSignature.headers(webhook.secret, body)
        }
      }
    },
    /** Copies the list. Returns a function that restores the copy. */
    copy: (): (() => void) => {
      const copied = [...webhooks]
      return () => {
        webhooks.clear()
        for (const [hook, webhook] of copied) webhooks.set(hook, webhook)
      }
    }
  }
}

export type AppWebhooks = ReturnType<typeof make>

/** The prefix of the headers depends on the dialect. */
const header = ({ headers }: PostRequest, suffix: string) =>
  Object.entries(headers).find(([name]) => name.endsWith(suffix))
