/** Which branch or tag this is, and the way to another; at a commit, its abbreviated id. Read when it is opened. */
import { Combobox } from "@base-ui/react/combobox"
import { useState } from "react"
import type { Pinned } from "../../Wire.ts"
import * as Api from "../Api.ts"
import { displayText } from "../model/displayText.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { Icon } from "./Icon.tsx"

interface Group {
  readonly value: string
  readonly items: ReadonlyArray<string>
}

export const RefPicker = ({
  pinned,
  view
}: {
  readonly view: Route.File | Route.Tree
  readonly pinned: Pinned | undefined
}) => {
  const { owner, repo } = view
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState("")
  const answer = Api.useAnswer(Api.refs, isOpen ? { owner, repo } : undefined)
  const current = pinned?.ref ?? view.ref
  if (current === undefined) return null
  const choose = (ref: string) => navigate({ ...view, ref })
  const groups: ReadonlyArray<Group> =
    answer._tag === "Ready"
      ? [
          { value: "Branches", items: first(current, answer.value.branches) },
          { value: "Tags", items: answer.value.tags }
        ].filter(({ items }) => items.length > 0)
      : []
  return (
    <Combobox.Root
      items={groups}
      value={current}
      open={isOpen}
      onOpenChange={setIsOpen}
      onInputValueChange={setTyped}
      onValueChange={(ref) => ref !== null && choose(ref)}
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
                // A name that is not listed may exist all the same: a commit, or one of very many branches.
                const isUnlisted = answer._tag !== "Loading" && typed !== "" && !isListed(groups, typed)
                if (event.key === "Enter" && isUnlisted) choose(typed.trim())
              }}
            />
            <Combobox.Empty className="side-note">
              {answer._tag === "Ready"
                ? typed !== "" && `Enter goes to “${typed}”, if there is such a commit.`
                : answer._tag === "Failed"
                  ? displayText(answer.failure.message)
                  : "Reading the branches…"}
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
              <p className="side-note">There are more: type the whole name of another.</p>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

const name = (ref: string, pinned: Pinned | undefined): string =>
  ref === pinned?.commit ? `at ${ref.slice(0, 10)}` : displayText(ref)

/** The one that one is on comes first, where it is listed. */
const first = (current: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.includes(current) ? [current, ...names.filter((name) => name !== current)] : names

const isListed = (groups: ReadonlyArray<Group>, typed: string): boolean =>
  groups.some(({ items }) => items.some((item) => item.toLowerCase().includes(typed.toLowerCase())))
