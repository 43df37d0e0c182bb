import { newPassword, type PasswordOwner } from '../../accounts/account/password'
import { userEmail, usernameText } from '../../accounts/account/user'
import { passwordField, textField } from '../../web/fields'
import { PageProblem } from '../../web/problem'
import type { Visit } from '../../web/visit'

export const usernameField = textField({
  label: (t) => t.account.username,
  hint: (t) => t.account.usernameHint,
  autocomplete: 'username',
  value: usernameText,
})

export const emailField = textField(
  {
    label: (t) => t.account.email,
    hint: (t) => t.account.emailHint,
    autocomplete: 'email',
    value: userEmail,
  },
  'email',
)

/** With `--password-sign-in off` no page takes a password (D104). */
export function refusePasswords<V extends Visit>(visit: V): V {
  if (visit.deps.config.passwordSignIn) return visit
  throw new PageProblem(403, (t) => [t.signIn.passwordsOffTitle, t.signIn.passwordsOff])
}

const unknownOwner: PasswordOwner = { username: '', email: '' }

export const newPasswordField = passwordField({
  label: (t) => t.account.newPassword,
  hint: (t) => t.account.newPasswordHint,
  autocomplete: 'new-password',
  value: newPassword(unknownOwner),
})

/** Checks a new password against what is known about its owner. */
export const passwordForOwner = ({
  password,
  ...owner
}: Partial<PasswordOwner> & { readonly password?: string }) => ({
  password: password === undefined ? undefined : newPassword({ ...unknownOwner, ...owner }).read(password),
})

export const currentPasswordField = passwordField({
  label: (t) => t.account.currentPassword,
  autocomplete: 'current-password',
})
