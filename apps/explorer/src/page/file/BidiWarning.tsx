/** A warning about characters that reorder text. `lines` are the numbers of the lines with such characters. */
export const BidiWarning = ({
  lines,
  onSelect
}: {
  readonly lines: ReadonlyArray<number>
  readonly onSelect: (line: number) => void
}) => (
  <div className="file-warning" role="note">
    <strong>This file has characters that reorder text.</strong> They are shown as code points, and the text in its
    stored order:{" "}
    {lines.slice(0, 5).map((line) => (
      <button key={line} type="button" className="link-button" onClick={() => onSelect(line)}>
        line {line}
      </button>
    ))}
    {lines.length > 5 && ` and ${lines.length - 5} more`}
  </div>
)
