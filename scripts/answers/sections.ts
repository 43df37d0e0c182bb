import type { Recorder } from './recorder'
import { access } from './sections/api-access'
import { bodies } from './sections/api-bodies'
import { library } from './sections/api-library'
import { lists } from './sections/api-lists'
import { commands } from './sections/commands'
import { forms } from './sections/forms'
import { http } from './sections/http'
import { letters } from './sections/letters'
import { oauth } from './sections/oauth'
import { pages } from './sections/pages'
import { settings } from './sections/settings'

/** In this order: writes come before the pages that show them, deletions last. */
export const sections: Readonly<Record<string, (recorder: Recorder) => Promise<void>>> = {
  library,
  lists,
  access,
  bodies,
  http,
  oauth,
  forms,
  letters,
  pages,
  settings,
  commands,
}
