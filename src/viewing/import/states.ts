import type { IconName } from '../../pages/icons'
import type { RowState } from '../../transfer/plan/planned-row'

/** In order of interest to users. */
export const shownStates = ['new', 'conflict', 'check', 'not_found', 'unchanged', 'skipped', 'error'] as const

export const stateIcons: Readonly<Record<RowState, IconName>> = {
  new: 'plus',
  conflict: 'swap',
  check: 'question',
  not_found: 'find',
  unchanged: 'equal',
  skipped: 'banned',
  error: 'warning',
}
