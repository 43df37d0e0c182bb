import { Markup } from './html'

/** In the head of a page that follows something by `data-poll`: readers without script get the whole page again. */
export const reloading = new Markup('<noscript><meta http-equiv="refresh" content="3" /></noscript>')
