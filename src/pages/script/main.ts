import { askFirst } from './confirm'
import { openLinksInDialogs } from './dialog'
import { openComments, openDateFields, takeBackFaces } from './fields'
import { follow } from './follow'
import { searchAtOnce, sendChosenFiles } from './instant'
import { listenToKeys } from './keys'
import { closeMenus, putAwayToasts } from './menu'
import { keepDrafts } from './outbox/drafts'
import { keepSheets } from './outbox/kept-pages'
import { queuePresses } from './outbox/outbox'
import { setUpPhone } from './outbox/phone'
import { showPasswords } from './passwords'
import { walkResults } from './search-field'
import { listenToSelection } from './selection'
import { swapFragments } from './swap'
import { putTimesInZone } from './times'

// The first may stop a form before the others send it.
askFirst()
queuePresses()
swapFragments()
searchAtOnce()
walkResults()
keepDrafts()
openLinksInDialogs()
closeMenus()
openDateFields()
openComments()
takeBackFaces()
putAwayToasts()
showPasswords()
listenToKeys()
listenToSelection()
putTimesInZone()
sendChosenFiles()
follow()
setUpPhone()
keepSheets()
