/** The shape of what is coming. */
export const Skeleton = ({
  rows,
  slow,
  what
}: {
  readonly rows: number
  readonly slow: boolean
  /** What goes on, for people who wait or do not see the shape. */
  readonly what: string
}) => (
  <div className="skeleton">
    <p role="status" className={slow ? "dim" : "unseen"}>
      {slow ? `${what} takes longer than usual…` : `${what}…`}
    </p>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
    ))}
  </div>
)
