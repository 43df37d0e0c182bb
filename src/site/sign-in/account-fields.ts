import { checkNewPassword, type PasswordOwner } from '../../accounts/account/password-rules'
import { checkEmail } from '../../accounts/account/user-email'
import { checkUsername } from '../../accounts/account/username'
import { type FieldProblem, problemsOf } from '../../lib/field-problem'
import { checked, passwordField, textField } from '../../web/fields'

/** What a new account is asked for. */
export const usernameField = checked(
  textField({
    label: (t) => t.account.username,
    hint: (t) => t.account.usernameHint,
    limit: 20,
    autocomplete: 'username',
  }),
  checkUsername,
)

export const emailField = checked(
  textField(
    {
      label: (t) => t.account.email,
      hint: (t) => t.account.emailHint,
      limit: 254,
      autocomplete: 'email',
    },
    'email',
  ),
  checkEmail,
)

const nobody: PasswordOwner = { username: '', email: '' }

export const newPasswordField = checked(
  passwordField({
    label: (t) => t.account.newPassword,
    hint: (t) => t.account.newPasswordHint,
    autocomplete: 'new-password',
  }),
  (password) => checkNewPassword(password, nobody),
)

/** What is wrong with a password for whoever is to have it, as far as that is known. */
export const ownedPasswordProblems = ({
  password,
  ...owner
}: Partial<PasswordOwner> & { readonly password?: string }): readonly FieldProblem[] =>
  password === undefined ? [] : problemsOf(() => checkNewPassword(password, { ...nobody, ...owner }))

export const currentPasswordField = passwordField({
  label: (t) => t.account.currentPassword,
  autocomplete: 'current-password',
})
