import { Combobox } from "@base-ui/react/combobox"
import { useState } from "react"
import type { PinnedPath } from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { displayText } from "../model/displayText.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { Icon } from "./Icon.tsx"

interface Group {
  readonly value: string
  readonly items: ReadonlyArray<string>
}

/** The current branch, tag or commit, and a menu to switch. The list is loaded when it is opened. */
export const RefPicker = ({
  pinned,
  route
}: {
  readonly route: Route.File | Route.Tree
  readonly pinned: PinnedPath | undefined
}) => {
  const { owner, repo } = route
  const [isOpen, setIsOpen] = useState(false)
  const [input, setInput] = useState("")
  const answer = ExplorerClient.useRequest(ExplorerClient.refs, isOpen ? { owner, repo } : undefined)
  const current = pinned?.ref ?? route.ref
  if (current === undefined) return null
  const select = (ref: string) => navigate({ ...route, ref })
  const groups: ReadonlyArray<Group> =
    answer._tag === "Ready"
      ? [
          { value: "Branches", items: withFirst(current, answer.value.branches) },
          { value: "Tags", items: answer.value.tags }
        ].filter(({ items }) => items.length > 0)
      : []
  return (
    <Combobox.Root
      items={groups}
      value={current}
      open={isOpen}
      onOpenChange={setIsOpen}
      onInputValueChange={setInput}
      onValueChange={(ref) => ref !== null && select(ref)}
      autoHighlight
    >
      <Combobox.Trigger className="ref-picker" aria-label={`Branch or tag: ${name(current, pinned)}`}>
        <Icon name="branch" />
        <span>{name(current, pinned)}</span>
        <Icon name="down" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className="ref-positioner" align="end" sideOffset={4} collisionPadding={8}>
          <Combobox.Popup className="refs" aria-label="Branches and tags">
            <Combobox.Input
              className="filter"
              placeholder="Branch, tag or commit"
              aria-label="Branch, tag or commit"
              spellCheck={false}
              onKeyDown={(event) => {
                // An unlisted name may exist: a commit, or a branch beyond the first page.
                const isUnlisted = answer._tag !== "Loading" && input !== "" && !isListed(groups, input)
                if (event.key === "Enter" && isUnlisted) select(input.trim())
              }}
            />
            <Combobox.Empty className="side-note">
              {answer._tag === "Ready"
                ? input !== "" && `Press Enter to open “${input}”.`
                : answer._tag === "Failed"
                  ? displayText(answer.failure.message)
                  : "Loading branches…"}
            </Combobox.Empty>
            <Combobox.List className="ref-list">
              {(group: Group) => (
                <Combobox.Group key={group.value} items={group.items}>
                  <Combobox.GroupLabel className="ref-group">{group.value}</Combobox.GroupLabel>
                  <Combobox.Collection>
                    {(ref: string) => (
                      <Combobox.Item key={ref} value={ref} className="ref">
                        {displayText(ref)}
                      </Combobox.Item>
                    )}
                  </Combobox.Collection>
                </Combobox.Group>
              )}
            </Combobox.List>
            {answer._tag === "Ready" && answer.value.more && (
              <p className="side-note">Not all are listed. Type the full name of another one.</p>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

const name = (ref: string, pinned: PinnedPath | undefined): string =>
  ref === pinned?.commit ? `at ${ref.slice(0, 10)}` : displayText(ref)

/** The names with the current one first, if listed. */
const withFirst = (current: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.includes(current) ? [current, ...names.filter((name) => name !== current)] : names

const isListed = (groups: ReadonlyArray<Group>, input: string): boolean =>
  groups.some(({ items }) => items.some((item) => item.toLowerCase().includes(input.toLowerCase())))
