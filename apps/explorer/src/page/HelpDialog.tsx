/** The keys and the search syntax. */
import { Dialog } from "@base-ui/react/dialog"

export const HelpDialog = ({ hasIndex, onClose }: { readonly hasIndex: boolean; readonly onClose: () => void }) => (
  <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className="backdrop" />
      <Dialog.Popup className="help">
        <header>
          <Dialog.Title>Keys and syntax</Dialog.Title>
          <Dialog.Close className="quiet">Close</Dialog.Close>
        </header>
        <div className="help-columns">
          <section>
            <h3>Keys</h3>
            <Terms all={KEYS} />
            <h3>In a file</h3>
            <Terms all={FILE_KEYS} />
          </section>
          <section>
            <h3>Search</h3>
            <Terms all={hasIndex ? [...SYNTAX, ...INDEX_SYNTAX] : SYNTAX} />
          </section>
        </div>
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

/** Keys, or a piece of a query, and what they mean. */
type Term = readonly [written: ReadonlyArray<string> | string, meaning: string]

const Terms = ({ all }: { readonly all: ReadonlyArray<Term> }) => (
  <dl>
    {all.map(([written, meaning]) => (
      <div key={meaning}>
        <dt>
          {typeof written === "string" ? <code>{written}</code> : written.map((key) => <kbd key={key}>{key}</kbd>)}
        </dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
)

const KEYS: ReadonlyArray<Term> = [
  [["/"], "to the search box"],
  [["j", "k"], "next and previous: result, match, entry"],
  [["Enter"], "search; open"],
  [["o"], "open in a new tab"],
  [["e"], "all matches of a file, or the best only"],
  [["Tab"], "in the box: take the first suggestion"],
  [["Esc"], "back: to the results, to the start"],
  [["?"], "this"]
]

const FILE_KEYS: ReadonlyArray<Term> = [
  [["n", "p"], "next and previous match"],
  [["Ctrl F"], "find in the file"],
  [["l"], "go to a line"],
  [["u"], "to the folder above"],
  [["Enter"], "choose the lines that are selected"],
  [["y"], "copy a link to these lines at this commit"],
  [["d", "r"], "definition and uses of the word at the caret"],
  [["s", "h"], "symbols, history"],
  [["b", "w"], "who wrote each line; wrap lines"]
]

const SYNTAX: ReadonlyArray<Term> = [
  ["two words", "files with both"],
  ['"two words"', "side by side"],
  ["a OR b", "either"],
  ["a NOT b", "without b"],
  ["repo:owner/name", "in one repository"],
  ["user:name, org:name", "in the repositories of an account"],
  ["path:src/api", "under a folder"],
  ["filename:index.ts", "in files of this name"],
  ["extension:ts", "with this extension"],
  ["language:go", "in one language"],
  ["size:>1000", "of this size in bytes"],
  ["in:path", "in the path instead of the content"],
  ["-path:test", "not there"]
]

const INDEX_SYNTAX: ReadonlyArray<Term> = [
  ["/retry(After|Later)/", "a regular expression, within a line"],
  ["symbol:parse", "where it is defined"],
  ["(a OR b) c", "either, and the third"],
  ["-word", "without the word"],
  ["path:*.test.ts", "where the path is like this"],
  ["case:yes", "letters as they are written"],
  ["word:yes", "only as a whole word"]
]
