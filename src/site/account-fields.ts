import { checkNewPassword, type PasswordOwner } from '../accounts/password-rules'
import { checkEmail } from '../accounts/user-email'
import { checkUsername } from '../accounts/username'
import { type FieldProblem, problemsOf } from '../lib/field-problem'
import { words } from '../lib/words'
import { checked, passwordField, textField } from '../web/fields'

/** What a new account is asked for. */
export const usernameField = checked(
  textField({
    label: words('Username', 'ユーザー名'),
    hint: words(
      '1 to 20 of A-Z, a-z, 0-9 and _. Everybody can see it.',
      'A-Z、a-z、0-9、_ の1～20文字です。公開されます。',
    ),
    limit: 20,
    autocomplete: 'username',
  }),
  checkUsername,
)

export const emailField = checked(
  textField(
    {
      label: words('E-mail address', 'メールアドレス'),
      hint: words('Only you and administrators see it.', '本人と管理者だけに表示されます。'),
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
    label: words('New password', '新しいパスワード'),
    hint: words(
      'At least 8 characters; 15 or more are better. Several words are easy to remember and hard to guess.',
      '8文字以上にしてください。15文字以上をおすすめします。単語をいくつか並べると、覚えやすく推測されにくくなります。',
    ),
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
  label: words('Current password', '現在のパスワード'),
  autocomplete: 'current-password',
})
