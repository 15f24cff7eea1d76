import { Dialog } from "@base-ui/react/dialog"

/** The keyboard shortcuts and the search syntax of the forge. */
export const HelpDialog = ({ hasIndex, onClose }: { readonly hasIndex: boolean; readonly onClose: () => void }) => (
  <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className="backdrop" />
      <Dialog.Popup className="help">
        <header>
          <Dialog.Title>Keyboard shortcuts and search syntax</Dialog.Title>
          <Dialog.Close className="quiet">Close</Dialog.Close>
        </header>
        <div className="help-columns">
          <section>
            <h3>Keyboard</h3>
            <Terms terms={KEYS} />
            <h3>In a file</h3>
            <Terms terms={FILE_KEYS} />
          </section>
          <section>
            <h3>Search</h3>
            <Terms terms={hasIndex ? [...SYNTAX, ...INDEX_SYNTAX] : SYNTAX} />
          </section>
        </div>
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

/** Keys or query syntax, and their meaning. */
type Term = readonly [term: ReadonlyArray<string> | string, meaning: string]

const Terms = ({ terms }: { readonly terms: ReadonlyArray<Term> }) => (
  <dl>
    {terms.map(([term, meaning]) => (
      <div key={meaning}>
        <dt>{typeof term === "string" ? <code>{term}</code> : term.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
)

const KEYS: ReadonlyArray<Term> = [
  [["/"], "focus the search box"],
  [["j", "k"], "next and previous result, match or entry"],
  [["Enter"], "search, or open the result"],
  [["o"], "open in a new tab"],
  [["e"], "show all matches of a file, or only the best"],
  [["Tab"], "accept the first suggestion"],
  [["Esc"], "back to the results, then to the start page"],
  [["?"], "show this help"]
]

const FILE_KEYS: ReadonlyArray<Term> = [
  [["n", "p"], "next and previous match"],
  [["Ctrl F"], "find in the file"],
  [["l"], "go to a line"],
  [["u"], "open the parent folder"],
  [["Enter"], "link to the selected lines"],
  [["y"], "copy a permalink to these lines"],
  [["d", "r"], "definition and references of the word at the caret"],
  [["s", "h"], "show symbols, history"],
  [["b", "w"], "show blame, wrap lines"]
]

const SYNTAX: ReadonlyArray<Term> = [
  ["two words", "files with both words"],
  ['"two words"', "an exact phrase"],
  ["a OR b", "files with a or b"],
  ["a NOT b", "files with a but not b"],
  ["repo:owner/name", "in one repository"],
  ["user:name, org:name", "in the repositories of an account"],
  ["path:src/api", "under a folder"],
  ["filename:index.ts", "in files of this name"],
  ["extension:ts", "in files with this extension"],
  ["language:go", "in one language"],
  ["size:>1000", "in files of this size in bytes"],
  ["in:path", "in the path instead of the content"],
  ["-path:test", "not under this folder"]
]

const INDEX_SYNTAX: ReadonlyArray<Term> = [
  ["/retry(After|Later)/", "a regular expression, within one line"],
  ["symbol:parse", "definitions of this name"],
  ["(a OR b) c", "files with c, and a or b"],
  ["-word", "files without the word"],
  ["path:*.test.ts", "in paths that match a pattern"],
  ["case:yes", "case-sensitive"],
  ["word:yes", "whole words only"],
  ["repo:name, repo:octo/*", "in repositories of this name, or of a pattern"],
  ["file:\\.tsx?$", "a text or regular expression in the path"],
  ["content:word", "in the content, not in the path"],
  ["rev:v1.0, rev:release-*", "at a branch, tag or commit, or of a pattern"],
  ["type:commit fix", "commits with this message"],
  ["type:diff kmalloc", "commits that added or removed such a line"],
  ["author:ann after:2024-01-31", "with type:commit or type:diff: by person and time"],
  ["count:1000", "more results"]
]
