/** Number of files in a page of patches. In a separate module, so that the page loads no schemas. */
export const PATCHES_PER_PAGE = 20
