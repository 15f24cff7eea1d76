/** The container for popups: inside the main landmark, where screen readers find them. */
export const popupContainer = (): HTMLElement | null => document.getElementById("main")
