import type * as PullRequestApi from "../../PullRequestApi.ts"
import { useNow } from "../hooks/useNow.ts"
import { ConversationList } from "../issue/ConversationList.tsx"
import type { ViewOf } from "../issue/ForgeLinks.ts"
import { IssueFacts } from "../issue/IssueFacts.tsx"
import { useConversation } from "../issue/useConversation.ts"
import { WrittenText } from "../issue/WrittenText.tsx"
import type * as Route from "../model/Route.ts"

/** The description, comments and events of a pull request. */
export const PullConversation = ({
  pull,
  route,
  viewOf
}: {
  readonly pull: PullRequestApi.PullRequest
  readonly route: Route.Pull
  readonly viewOf: ViewOf
}) => {
  const { number, owner, repo } = route
  const conversation = useConversation(route, true)
  const now = useNow(false)
  return (
    <div className="issue-columns">
      <IssueFacts issue={pull} reviewers={pull.reviewers} from={route} />
      <div className="issue-main">
        <WrittenText
          written={pull}
          verb="opened this"
          empty="No description provided."
          to={{ _tag: "Pull", owner, repo, number }}
          repository={route}
          now={now}
          viewOf={viewOf}
        />
        <ConversationList conversation={conversation} route={route} now={now} viewOf={viewOf} />
      </div>
    </div>
  )
}
