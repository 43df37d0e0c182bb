import { Markup } from './html'

/** For the head of a page with `data-poll`: reloads the whole page for readers without script. */
export const reloading = new Markup('<noscript><meta http-equiv="refresh" content="3" /></noscript>')
