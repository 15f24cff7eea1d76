/** A placeholder while content loads. */
export const Skeleton = ({
  activity,
  isSlow,
  rows
}: {
  readonly rows: number
  readonly isSlow: boolean
  /** The activity, for example "Loading the file". Shown when slow, and announced to screen readers. */
  readonly activity: string
}) => (
  <div className="skeleton">
    <p role="status" className={isSlow ? "dim" : "visually-hidden"}>
      {isSlow ? `${activity} takes longer than usual…` : `${activity}…`}
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
