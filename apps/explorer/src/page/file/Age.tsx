import * as RelativeTime from "@tongs/core/text/RelativeTime"

/** The age of a commit in a listing. */
export const Age = ({ date, now }: { readonly date: string; readonly now: number }) => (
  <time className="entry-age dim" dateTime={date} title={date}>
    {RelativeTime.format(Date.parse(date), now)}
  </time>
)
