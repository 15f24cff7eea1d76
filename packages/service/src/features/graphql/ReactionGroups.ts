/** The numbers of reactions by content. */

/** GitHub's GraphQL names of reactions, in its order. */
export const reactions = {
  THUMBS_UP: "+1",
  THUMBS_DOWN: "-1",
  LAUGH: "laugh",
  HOORAY: "hooray",
  CONFUSED: "confused",
  HEART: "heart",
  ROCKET: "rocket",
  EYES: "eyes"
} as const // literal types

/** Creates the groups from the numbers by the names of the REST API. */
export const make = (counts: Readonly<Record<string, number>>) =>
  Object.entries(reactions).map(([content, name]) => {
    const users = { totalCount: counts[name] ?? 0 }
    return { content, users, reactors: users }
  })
