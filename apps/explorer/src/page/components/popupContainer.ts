/** The container for popups: inside the main landmark, so that screen readers find the popups. */
export const popupContainer = (): HTMLElement | null => document.getElementById("main")
