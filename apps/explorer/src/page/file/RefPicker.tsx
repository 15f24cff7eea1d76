import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { PinnedPath } from "../../ExplorerApi.ts"
import { RefMenu } from "../components/RefMenu.tsx"
import { navigate } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { Icon } from "./Icon.tsx"

/** The current branch, tag or commit, and a menu to switch. */
export const RefPicker = ({
  pinned,
  route
}: {
  readonly route: Route.File | Route.Tree
  readonly pinned: PinnedPath | undefined
}) => {
  const current = pinned?.ref ?? route.ref
  if (current === undefined) return null
  const isWorkTree = pinned?.workTree !== undefined
  const version = current === pinned?.commit ? `at ${AbbreviatedId.of(current)}` : displayText(current)
  const text = isWorkTree ? `work tree of ${version}` : version
  return (
    <RefMenu
      repository={route}
      // In the work tree, no version is chosen yet, so that the branch itself can be.
      current={isWorkTree ? undefined : current}
      extra={current}
      name={`Branch or tag: ${text}`}
      align="end"
      verb="open"
      onSelect={(ref) => navigate({ ...route, ref })}
    >
      <Icon name="branch" />
      <span>{text}</span>
      <Icon name="down" />
    </RefMenu>
  )
}
