import { askFirst } from './confirm'
import { openLinksInDialogs } from './dialog'
import { searchAtOnce } from './instant'
import { listenToKeys } from './keys'
import { closeMenus } from './menu'
import { swapFragments } from './swap'
import { putTimesInZone } from './times'
import { putAwayToasts } from './toasts'

// The first may keep a form from being sent by the others.
askFirst()
swapFragments()
searchAtOnce()
openLinksInDialogs()
closeMenus()
putAwayToasts()
listenToKeys()
putTimesInZone()
