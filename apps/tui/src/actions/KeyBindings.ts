/** The commands of the terminal UI with default keys. Help, hints, the palette and the config file read this list. */

/** A group of commands in the help. */
export type Section = "Move" | "Open" | "Find" | "Change" | "Program"

/** The declaration of a command. */
interface Declaration {
  readonly id: string
  readonly keys: ReadonlyArray<string>
  /** The effect of the command, short enough for two columns of help on a screen of 80 columns. */
  readonly label: string
  readonly section: Section
  /** The only screens that have the command, if not all. There, the keys win over the default keys of other commands. */
  readonly where?: ReadonlyArray<Where>
}

/** The kinds of screens with keys of their own: text files, and the changes to files. */
const wheres = ["file", "diff"] as const // literal types

export type Where = (typeof wheres)[number]

const declared = [
  { id: "down", keys: ["j", "down"], label: "down", section: "Move" },
  { id: "up", keys: ["k", "up"], label: "up", section: "Move" },
  { id: "halfDown", keys: ["ctrl-d"], label: "half a page down", section: "Move" },
  { id: "halfUp", keys: ["ctrl-u"], label: "half a page up", section: "Move" },
  { id: "pageDown", keys: ["pagedown", "ctrl-f"], label: "page down", section: "Move" },
  { id: "pageUp", keys: ["pageup", "ctrl-b"], label: "page up", section: "Move" },
  { id: "top", keys: ["g", "home"], label: "first row", section: "Move" },
  { id: "bottom", keys: ["G", "end"], label: "last row", section: "Move" },
  { id: "left", keys: ["left"], label: "scroll left", section: "Move" },
  { id: "wrap", keys: ["z"], label: "wrap long lines", section: "Move" },
  { id: "right", keys: ["right"], label: "scroll right", section: "Move" },
  { id: "nextSection", keys: ["]"], label: "next file or section", section: "Move" },
  { id: "previousSection", keys: ["["], label: "previous file or section", section: "Move" },
  { id: "open", keys: ["enter", "l"], label: "open", section: "Open" },
  { id: "back", keys: ["escape", "h", "backspace"], label: "back, clear filter or marks", section: "Open" },
  { id: "historyBack", keys: ["alt-left"], label: "previous screen", section: "Open" },
  { id: "historyForward", keys: ["alt-right"], label: "next screen", section: "Open" },
  { id: "nextTab", keys: ["tab"], label: "next tab", section: "Open" },
  { id: "previousTab", keys: ["shift-tab"], label: "previous tab", section: "Open" },
  { id: "home", keys: ["H"], label: "home", section: "Open" },
  { id: "limits", keys: ["L"], label: "rate limits", section: "Open" },
  { id: "palette", keys: [":", "ctrl-p"], label: "all screens and actions", section: "Open" },
  { id: "revision", keys: ["@"], label: "another branch, tag or commit", section: "Open" },
  { id: "compare", keys: ["="], label: "compare, or the two marked", section: "Open" },
  { id: "changes", keys: ["i"], label: "changes since the last look", section: "Open" },
  { id: "switchView", keys: ["v"], label: "work tree or last commit", section: "Open" },
  { id: "fileHistory", keys: ["f"], label: "history of the file or folder", section: "Open" },
  { id: "functionHistory", keys: ["F"], label: "history of the function", section: "Open", where: ["file"] },
  { id: "blame", keys: ["b"], label: "blame: last commit of lines", section: "Open", where: ["file"] },
  { id: "blameBack", keys: ["<"], label: "file before that commit", section: "Open", where: ["file"] },
  { id: "blameForward", keys: [">"], label: "newer version again", section: "Open", where: ["file"] },
  { id: "definition", keys: ["gd"], label: "definition of the name", section: "Open", where: wheres },
  { id: "references", keys: ["gr"], label: "uses of the name", section: "Open", where: wheres },
  { id: "card", keys: ["K"], label: "details of the name", section: "Open", where: wheres },
  { id: "focusPane", keys: ["w"], label: "focus the other pane", section: "Open" },
  { id: "togglePane", keys: ["p"], label: "show or hide the pane", section: "Open" },
  { id: "widenPane", keys: [">"], label: "move the split right", section: "Open" },
  { id: "narrowPane", keys: ["<"], label: "move the split left", section: "Open" },
  { id: "filter", keys: ["/"], label: "filter or find here", section: "Find" },
  { id: "filterAll", keys: ["A"], label: "filter all rows", section: "Find" },
  { id: "next", keys: ["n"], label: "next match", section: "Find" },
  { id: "previous", keys: ["N"], label: "previous match", section: "Find" },
  { id: "search", keys: ["s"], label: "search code here", section: "Find" },
  { id: "searchAll", keys: ["S"], label: "search all repositories", section: "Find" },
  { id: "saveSearch", keys: ["W"], label: "save or forget this search", section: "Find" },
  { id: "actions", keys: ["a"], label: "actions of this item", section: "Change" },
  { id: "create", keys: ["c"], label: "create", section: "Change" },
  { id: "modify", keys: ["m"], label: "modify", section: "Change" },
  { id: "delete", keys: ["D"], label: "delete", section: "Change" },
  { id: "trigger", keys: ["t"], label: "trigger, for example redeliver", section: "Change" },
  { id: "undo", keys: ["u"], label: "undo the last change", section: "Change" },
  { id: "mark", keys: [" "], label: "mark", section: "Change" },
  { id: "markAll", keys: ["*"], label: "mark all", section: "Change" },
  { id: "refresh", keys: ["r"], label: "refresh", section: "Program" },
  { id: "copy", keys: ["y"], label: "copy id, path or link", section: "Program" },
  { id: "browse", keys: ["o"], label: "open in the browser", section: "Program" },
  { id: "edit", keys: ["e"], label: "open in $EDITOR", section: "Program" },
  { id: "help", keys: ["?"], label: "help", section: "Program" },
  { id: "quit", keys: ["q"], label: "quit", section: "Program" },
  { id: "tab1", keys: ["1"], label: "tab 1", section: "Open" },
  { id: "tab2", keys: ["2"], label: "tab 2", section: "Open" },
  { id: "tab3", keys: ["3"], label: "tab 3", section: "Open" },
  { id: "tab4", keys: ["4"], label: "tab 4", section: "Open" },
  { id: "tab5", keys: ["5"], label: "tab 5", section: "Open" },
  { id: "tab6", keys: ["6"], label: "tab 6", section: "Open" },
  { id: "tab7", keys: ["7"], label: "tab 7", section: "Open" },
  { id: "tab8", keys: ["8"], label: "tab 8", section: "Open" },
  { id: "tab9", keys: ["9"], label: "tab 9", section: "Open" }
] as const satisfies ReadonlyArray<Declaration>

export type CommandId = (typeof declared)[number]["id"]

/** A command with its keys. */
export interface Command extends Declaration {
  readonly id: CommandId
}

/** The commands in the order of the help. */
export const commands: ReadonlyArray<Command> = declared

/** The ids of the commands, for the config file. */
export const ids: ReadonlyArray<CommandId> = declared.map(({ id }) => id)

/** Keys that cannot be bound: Ctrl-C interrupts, and Ctrl-Z suspends. */
const reserved: ReadonlySet<string> = new Set(["ctrl-c", "ctrl-z"])

/** The keys of all commands. */
export interface KeyBindings {
  readonly commands: ReadonlyArray<Command>
  /** Returns the command of a key or of a sequence of two keys, such as `gd`. */
  readonly commandFor: (key: string, where?: Where) => CommandId | undefined
  /** Returns true if a screen has the command. */
  readonly isAvailable: (id: CommandId, where?: Where) => boolean
  /** Returns true if a sequence begins with the key. */
  readonly isPrefix: (key: string, where?: Where) => boolean
  /** Returns the first key of a command as text; undefined for a command without keys. */
  readonly keyOf: (id: CommandId) => string | undefined
  /** Problems of the settings, one sentence each. */
  readonly problems: ReadonlyArray<string>
}

/** Creates key bindings. `settings` replaces the keys of commands by id. The first command wins a conflict. */
export const make = (settings: Readonly<Record<string, ReadonlyArray<string>>> = {}): KeyBindings => {
  const problems: Array<string> = []
  for (const id of Object.keys(settings))
    if (!ids.some((known) => known === id)) problems.push(`The config file binds keys to ${id}, which is no command.`)
  const bound = commands.map((command) => ({ ...command, keys: settings[command.id] ?? command.keys }))
  const everywhere = new Map<string, CommandId>()
  const local = { file: new Map<string, CommandId>(), diff: new Map<string, CommandId>() }
  const mapsOf = ({ where }: Pick<Command, "where">) => where?.map((where) => local[where]) ?? [everywhere]
  const custom = bound.filter(({ id }) => settings[id] !== undefined)
  const chosen = new Set(custom.filter(({ where }) => where === undefined).flatMap(({ keys }) => keys))
  // Keys in the settings win over default keys.
  for (const command of [...custom, ...bound.filter((command) => !custom.includes(command))]) {
    const { id, keys, where } = command
    const isCustom = settings[id] !== undefined
    for (const key of keys) {
      const maps = mapsOf(command)
      const other = maps.map((map) => map.get(key)).find((id) => id !== undefined)
      if (reserved.has(key)) problems.push(`The key ${key} of ${id} cannot be bound.`)
      else if (other !== undefined && isCustom) problems.push(`The key ${key} of ${id} is already bound to ${other}.`)
      else if (other === undefined && (isCustom || where === undefined || !chosen.has(key)))
        for (const map of maps) map.set(key, id)
    }
  }
  const effective = bound.map((command) => ({
    ...command,
    keys: command.keys.filter((key) => mapsOf(command).every((map) => map.get(key) === command.id))
  }))
  const prefixes = (map: ReadonlyMap<string, CommandId>) =>
    new Set([...map.keys()].filter(isSequence).map((key) => [...key][0]))
  const prefixesEverywhere = prefixes(everywhere)
  const localPrefixes = { file: prefixes(local.file), diff: prefixes(local.diff) }
  return {
    commands: effective,
    commandFor: (key, where) => (where && local[where].get(key)) ?? everywhere.get(key),
    isAvailable: (id, where) => {
      const command = effective.find((command) => command.id === id)
      return command?.where === undefined || (where !== undefined && command.where.includes(where))
    },
    isPrefix: (key, where) => prefixesEverywhere.has(key) || (where !== undefined && localPrefixes[where].has(key)),
    keyOf: (id) => effective.find((command) => command.id === id)?.keys[0],
    problems
  }
}

/** Returns true for a sequence of two keys. `up` and `f1` are names of keys. */
export const isSequence = (key: string): boolean => [...key].length === 2 && key !== "up" && !/^f[1-9]$/.test(key)

const names: Readonly<Record<string, string>> = {
  " ": "Space",
  enter: "Enter",
  escape: "Esc",
  tab: "Tab",
  "shift-tab": "Shift-Tab",
  backspace: "⌫",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  pagedown: "PgDn",
  pageup: "PgUp",
  home: "Home",
  end: "End",
  "alt-left": "Alt-←",
  "alt-right": "Alt-→"
}

/** Returns a key in the usual form for users: `Ctrl-d`, `Space`. */
export const label = (key: string): string => names[key] ?? key.replace(/^ctrl-/, "Ctrl-").replace(/^alt-/, "Alt-")
