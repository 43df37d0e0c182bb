import { unknownStationName } from '../../catalogue/default/channels'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'

/** The name of a channel, most of which are Japanese. */
export const channelName = (t: Messages, name: string): Markup =>
  name === unknownStationName
    ? html`<span>${t.channels.unknownStation}</span>`
    : html`<span lang="ja">${name}</span>`
