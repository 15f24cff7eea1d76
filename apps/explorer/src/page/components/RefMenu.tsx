import { Combobox } from "@base-ui/react/combobox"
import { type ReactNode, useState } from "react"
import type { RepositoryName } from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { displayText } from "../model/displayText.ts"
import * as RefGroups from "../model/RefGroups.ts"

/** A menu of branches and tags, loaded on opening. A commit can be typed. */
export const RefMenu = ({
  align,
  children,
  current,
  extra,
  label,
  name,
  onSelect,
  repository: { owner, repo },
  startsOpen = false,
  verb
}: {
  readonly repository: RepositoryName
  readonly current: string | undefined
  /** A reference to list in addition to the references of the repository, for example a commit. */
  readonly extra?: string | undefined
  /** Accessible name of the button. */
  readonly name: string
  /** Prefix of the accessible names in the menu. */
  readonly label?: string | undefined
  readonly align: "start" | "end"
  /** The action of Enter on a typed name, for example `open`. */
  readonly verb: string
  readonly startsOpen?: boolean | undefined
  readonly onSelect: (ref: string) => void
  /** Content of the button. */
  readonly children: ReactNode
}) => {
  const [isOpen, setIsOpen] = useState(startsOpen)
  const [input, setInput] = useState("")
  const answer = ExplorerClient.useRequest(ExplorerClient.refs, isOpen ? { owner, repo } : undefined)
  const groups = answer._tag === "Ready" ? RefGroups.make(answer.value, input, extra) : []
  const named = (text: string) => (label === undefined ? text : `${label}: ${text.toLowerCase()}`)
  return (
    <Combobox.Root
      items={groups}
      value={current ?? null}
      open={isOpen}
      onOpenChange={setIsOpen}
      onInputValueChange={setInput}
      onValueChange={(ref) => ref !== null && onSelect(ref)}
      autoHighlight
    >
      <Combobox.Trigger className="ref-picker" aria-label={name}>
        {children}
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className="ref-positioner" align={align} sideOffset={4} collisionPadding={8}>
          <Combobox.Popup className="refs" aria-label={named("Branches and tags")}>
            <Combobox.Input
              className="filter"
              placeholder="Branch, tag or commit"
              aria-label={named("Branch, tag or commit")}
              spellCheck={false}
              onKeyDown={(event) => {
                // An unlisted name may exist: a commit, or a branch beyond the first page.
                const isUnlisted = answer._tag !== "Loading" && !RefGroups.isListed(groups, input)
                if (event.key !== "Enter" || input.trim() === "" || !isUnlisted) return
                setIsOpen(false)
                onSelect(input.trim())
              }}
            />
            <Combobox.Empty className="side-note">
              {answer._tag === "Ready"
                ? input !== "" && `Press Enter to ${verb} “${input}”.`
                : answer._tag === "Failed"
                  ? displayText(answer.failure.message)
                  : "Loading branches…"}
            </Combobox.Empty>
            <Combobox.List className="ref-list">
              {(group: RefGroups.RefGroup) => (
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
