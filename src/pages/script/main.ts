import { askFirst } from './confirm'
import { openLinksInDialogs } from './dialog'
import { keepDrafts } from './drafts'
import { tellFailure } from './failure'
import { openComments, openDateFields } from './fields'
import { follow } from './follow'
import { searchAtOnce, sendChosenFiles } from './instant'
import { listenToKeys } from './keys'
import { sendKept } from './lost'
import { closeMenus, putAwayToasts } from './menu'
import { showPasswords } from './passwords'
import { walkResults } from './search-field'
import { listenToSelection } from './selection'
import { walkStrips } from './strip'
import { swapFragments } from './swap'
import { putTimesInZone } from './times'

// The first may stop a form before the others send it.
askFirst()
swapFragments()
searchAtOnce()
walkResults()
keepDrafts()
openLinksInDialogs()
closeMenus()
openDateFields()
openComments()
putAwayToasts()
showPasswords()
listenToKeys()
walkStrips()
listenToSelection()
putTimesInZone()
sendChosenFiles()
follow()
sendKept()
tellFailure()
