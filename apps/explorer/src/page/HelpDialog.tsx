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
            <Terms terms={keys} />
            <h3>In a file</h3>
            <Terms terms={fileKeys} />
            <h3>In a comparison, commit or pull request</h3>
            <Terms terms={diffKeys} />
          </section>
          <section>
            <h3>Search</h3>
            <Terms terms={hasIndex ? [...syntax, ...indexSyntax] : syntax} />
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

const keys: ReadonlyArray<Term> = [
  [["/"], "focus the search box"],
  [["j", "k"], "next and previous result, match or entry"],
  [["Enter"], "search, or open the result"],
  [["o"], "open in a new tab"],
  [["e"], "show all matches of a file, or only the best"],
  [["c"], "copy the path of the result"],
  [["f"], "filter the repositories of the start page"],
  [["Alt C"], "match case"],
  [["Alt W"], "whole word"],
  [["Alt R"], "regular expression"],
  [["Tab"], "accept the first suggestion"],
  [["Esc"], "back to the results, then to the start page"],
  [["?"], "show this help"]
]

const fileKeys: ReadonlyArray<Term> = [
  [["n", "p"], "next and previous match of the search"],
  [["n", "N"], "without a search: next and previous use in the file"],
  [["F4", "⇧F4"], "next and previous use, with the list of uses in all files"],
  [["Ctrl F"], "find in the file"],
  [["l"], "go to a line"],
  [["t"], "go to a file by its path"],
  [["f"], "show or hide the file tree"],
  [["v"], "preview or code of a document"],
  [["u"], "open the parent folder"],
  [["Enter"], "link to the selected lines"],
  [["y"], "copy a permalink to these lines"],
  [["d", "F12"], "go to the definition of the name at the caret"],
  [["r", "⇧F12"], "list its uses"],
  [["i"], "show its definition; again: enter the card"],
  [["s", "h"], "show symbols, history"],
  [["b", "w"], "show blame, wrap lines"],
  [["B"], "show the last commit of the line"],
  [["c"], "compare with a branch, tag or commit"]
]

const diffKeys: ReadonlyArray<Term> = [
  [["n", "p"], "next and previous change"],
  [["j", "k"], "next and previous file"],
  [["v"], "mark the file as viewed"],
  [["x"], "close or open the file"],
  [["t"], "filter the files"],
  [["s"], "side by side or unified"],
  [["w"], "ignore white space"],
  [["y"], "copy a permalink"]
]

const syntax: ReadonlyArray<Term> = [
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

const indexSyntax: ReadonlyArray<Term> = [
  ["/retry(After|Later)/", "a regular expression, within one line"],
  ["symbol:parse", "definitions of this name"],
  ["kind:field name", "definitions of this kind: function, class, field, enum_member, …"],
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
