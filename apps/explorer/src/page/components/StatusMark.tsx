/** The letter of an uncommitted file's status, as in `git status`. */
export const StatusMark = ({ status }: { readonly status: string | undefined }) =>
  status !== undefined && (
    <abbr className="status-mark" data-status={status} title={`${status}, not committed`}>
      {letters.get(status) ?? "M"}
    </abbr>
  )

const letters: ReadonlyMap<string, string> = new Map([
  ["added", "A"],
  ["renamed", "R"],
  ["copied", "C"],
  ["changed", "T"]
])
