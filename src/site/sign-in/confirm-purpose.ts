import type { Message } from '../../messages/languages'

export const purposeOf = (target: string): Message =>
  purposes.find(([path]) => path.test(target))?.[1] ?? ((t) => t.confirm.toContinue)

/** The first match wins; a test fails for a page that asks and is not listed. */
const purposes: readonly (readonly [RegExp, Message])[] = [
  [/^\/settings\/email/, (t) => t.confirm.toChangeEmail],
  [/^\/settings\/two_step\/codes/, (t) => t.confirm.toRenewCodes],
  [/^\/settings\/two_step\/off/, (t) => t.confirm.toTurnOffTwoStep],
  [/^\/settings\/two_step/, (t) => t.confirm.toManageTwoStep],
  [/^\/settings\/sessions/, (t) => t.confirm.toSeeSessions],
  [/^\/settings\/export/, (t) => t.confirm.toDownloadData],
  [/^\/settings\/tokens/, (t) => t.confirm.toCreateToken],
  [/^\/oauth\/applications\/\d+\/rotate/, (t) => t.confirm.toReplaceSecret],
  [/^\/admin\/users\/\d+\/reset_password/, (t) => t.confirm.toCreateResetLink],
  [/^\/admin\/users/, (t) => t.confirm.toManageUsers],
  [/^\/admin\/invitations/, (t) => t.confirm.toManageInvitations],
  [/^\/works\/\d+\/shared_cover/, (t) => t.confirm.toChangeCover],
  [/^\/(?:admin|welcome\/catalogue)/, (t) => t.confirm.toAdminister],
]
