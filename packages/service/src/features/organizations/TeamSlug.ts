/** Slugs of teams, which paths and mentions have instead of names. */

/** Returns the slug of a name: `My TEam Näme` becomes `my-team-name`. Empty if the name has no letter or digit. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "")
