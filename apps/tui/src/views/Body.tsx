import type { View } from "../model/View.ts"
import { Lines } from "./Lines.tsx"
import { Loading } from "./Loading.tsx"
import { Message } from "./Message.tsx"

/** What is between the tabs and the status line. */
export const Body = ({ view: { body, columns } }: { readonly view: View }) => {
  switch (body._tag) {
    case "Lines":
      return <Lines body={body} width={columns} />
    case "Loading":
      return <Loading key={body.what} what={body.what} why={body.why} />
    case "Message":
      return <Message role={body.role} title={body.title} hint={body.hint} columns={columns} />
  }
}
