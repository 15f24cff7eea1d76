/** Validates the settings of webhooks in requests. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import type { HookRow } from "../../webhooks/HookRows.ts"
import { webhookEventNames } from "../../webhooks/WebhookEventNames.ts"
import { MASKED_SECRET, unmask } from "../../webhooks/HookUrl.ts"
import type { HookSecrets } from "../../webhooks/SecretSealer.ts"

/** Settings of a webhook with decrypted secrets. */
export interface UnsealedHook extends Pick<HookRow, "active" | "events" | "url" | "content_type" | "insecure_ssl"> {
  readonly secrets: HookSecrets
}

/** Delivery settings in a request. */
export interface Config extends HookSecrets {
  readonly url?: string
  readonly content_type?: string
  readonly insecure_ssl?: string | number
}

/** Body of a request that creates a webhook. */
export interface NewHook {
  readonly name?: string
  readonly config: Config
  readonly events?: ReadonlyArray<string>
  readonly active?: boolean
}

/** Body of a request that updates a webhook. `events` replaces all events. */
export interface HookChange extends Partial<NewHook> {
  readonly add_events?: ReadonlyArray<string>
  readonly remove_events?: ReadonlyArray<string>
}

/** Settings of a stored webhook. `secrets` are the decrypted secrets. */
export const unseal = (hook: HookRow, secrets: HookSecrets | undefined): UnsealedHook => {
  const { active, content_type, events, insecure_ssl, url } = hook
  return { active, content_type, events, insecure_ssl, url, secrets: secrets ?? {} }
}

/** True if both webhooks send the same deliveries. */
export const isSameConfig = (one: UnsealedHook, other: UnsealedHook): boolean =>
  one.url === other.url &&
  one.content_type === other.content_type &&
  one.insecure_ssl === other.insecure_ssl &&
  one.secrets.secret === other.secrets.secret

/** Validates the settings of a new webhook. Fails with 422. */
export const create = Effect.fnUntraced(function* ({
  active = true,
  config,
  events = ["push"],
  name = "web"
}: NewHook) {
  yield* checkName(name)
  return {
    active: active ? 1 : 0,
    events: yield* readEvents(events),
    ...(yield* readConfig(config, { secrets: {} }))
  } satisfies UnsealedHook
})

/** Applies a change. A given `config` replaces the current configuration, including the secret. Fails with 422. */
export const update = Effect.fnUntraced(function* (from: UnsealedHook, input: HookChange) {
  const { active, add_events = [], config, events = from.events, name = "web", remove_events = [] } = input
  yield* checkName(name)
  const wanted = new Set([...events, ...add_events])
  yield* readEvents([...remove_events, "push"])
  for (const event of remove_events) wanted.delete(event)
  return {
    ...from,
    ...(config === undefined ? {} : yield* readConfig({ url: from.url, ...config }, from)),
    active: active === undefined ? from.active : active ? 1 : 0,
    events: yield* readEvents([...wanted])
  } satisfies UnsealedHook
})

/** Merges a change into a webhook's configuration. Fails with status 422 if the resulting configuration is invalid. */
export const updateConfig = Effect.fnUntraced(function* (from: UnsealedHook, change: Config) {
  const { content_type, insecure_ssl, secrets, url } = from
  return {
    ...from,
    ...(yield* readConfig({ url, content_type, insecure_ssl, ...secrets, ...change }, from))
  } satisfies UnsealedHook
})

const wrong = (field: string, message: string, code = "custom") =>
  ApiError.invalid(`Validation Failed: ${message}`, [{ resource: "Hook", field, code, message }])

const checkName = (name: string) =>
  name === "web" ? Effect.void : Effect.fail(wrong("name", "name must be web", "invalid"))

const readEvents = (events: ReadonlyArray<string>) => {
  const unknown = events.filter((event) => event !== "*" && !webhookEventNames.has(event))
  if (unknown.length > 0) {
    return Effect.fail(wrong("events", `unknown events: ${unknown.slice(0, 5).join(", ").slice(0, 200)}`, "invalid"))
  }
  if (events.length === 0) return Effect.fail(wrong("events", "events must contain at least one event", "missing"))
  return Effect.succeed([...new Set(events)])
}

/** Maximum length of a URL, in characters. */
const MAX_URL = 8000

const isWebAddress = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.hostname !== "" && !/[\s\p{Cc}]/u.test(url)
}

/** `current` is the configuration before a change, whose secrets replace placeholders. */
const readConfig = Effect.fnUntraced(function* (
  config: Config,
  current: Pick<UnsealedHook, "secrets"> & { readonly url?: string }
) {
  const { content_type = "form", insecure_ssl = "0" } = config
  if (config.url === undefined || config.url === "") return yield* wrong("url", "url is missing", "missing_field")
  const url = unmask(config.url, current.url)
  if (url === undefined) return yield* wrong("url", "url has a masked password: write it out for a new host or user")
  if (url.length > MAX_URL) return yield* wrong("url", `url is longer than ${MAX_URL} characters`, "invalid")
  if (!isWebAddress(url)) return yield* wrong("url", "url must begin with http:// or https://")
  if (content_type !== "json" && content_type !== "form")
    return yield* wrong("content_type", "content_type must be json or form", "invalid")
  const insecure = String(insecure_ssl)
  if (insecure !== "0" && insecure !== "1")
    return yield* wrong("insecure_ssl", "insecure_ssl must be 0 or 1", "invalid")
  const secret = config.secret === MASKED_SECRET ? current.secrets.secret : config.secret
  const secrets: HookSecrets = {
    ...(secret === undefined || secret === "" ? {} : { secret }),
    ...(config.username === undefined ? {} : { username: config.username }),
    ...(config.password === undefined ? {} : { password: config.password })
  }
  return { url, content_type, insecure_ssl: insecure, secrets } satisfies Partial<UnsealedHook>
})
