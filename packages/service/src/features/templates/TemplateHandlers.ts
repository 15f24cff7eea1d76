import * as Effect from "effect/Effect"
import { Gitignore } from "@tongs/core/contract/groups/Gitignore"
import { Licenses } from "@tongs/core/contract/groups/Licenses"
import * as ApiError from "../../api/ApiError.ts"
import { group, rawBody } from "../../api/Handlers.ts"
import { nodeId } from "../../api/NodeId.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Paging from "../../base/Paging.ts"
import * as InitialFiles from "./InitialFiles.ts"

type License = Effect.Success<typeof InitialFiles.licenses>[number]

const summary = ({ key, name, spdx_id }: License, { api }: Urls) => ({
  key,
  name,
  spdx_id,
  url: `${api}/licenses/${key}`,
  node_id: nodeId("License", key)
})

/** Handlers of licenses and of templates of `.gitignore` files. */
export const make = Effect.succeed([
  group(Licenses)({
    *getAllCommonlyUsed({ featured }, { page, urls }) {
      const all = (yield* InitialFiles.licenses).slice(0, InitialFiles.LISTED)
      const chosen = featured === "true" ? all.filter((one) => one.featured) : all
      const { items, total } = Paging.slice(chosen, page)
      return { items: items.map((one) => summary(one, urls)), total }
    },

    *get({ license }, { urls }) {
      const found = (yield* InitialFiles.license(license)) ?? (yield* ApiError.notFound())
      const { body, conditions, description, featured, implementation, key, limitations, permissions } = found
      return {
        ...summary(found, urls),
        html_url: `https://choosealicense.com/licenses/${key}/`,
        description,
        implementation,
        permissions,
        conditions,
        limitations,
        body,
        featured
      }
    }
  }),
  group(Gitignore)({
    *getAllTemplates() {
      return Object.keys(yield* InitialFiles.ignores)
    },

    *getTemplate({ name }, { mediaType }) {
      const source = (yield* InitialFiles.ignore(name)) ?? (yield* ApiError.notFound())
      return mediaType === "raw" ? rawBody("text/plain; charset=utf-8", source) : { name, source }
    }
  })
])
