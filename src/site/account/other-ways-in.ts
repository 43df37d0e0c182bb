import { listIdentities } from '../../accounts/provider/identity'
import { factorStanding } from '../../accounts/sign-in/second-factor'
import { listSignIns } from '../../accounts/sign-in/sign-ins'
import { wayRules, waysIn } from '../../accounts/sign-in/ways-in'
import { choiceList } from '../../pages/choices'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import { moment } from '../../pages/moment'
import type { MemberVisit } from '../../web/visit'

/** Each with how it stands. Whoever has a passkey learns that the password may go, if another way would be left (D100). */
export async function otherWaysIn(visit: MemberVisit, hasPasskeys: boolean): Promise<Markup> {
  const { deps, session, t, basePath } = visit
  const { providers } = deps.config
  const [ways, factor, identities, [last], user] = await Promise.all([
    waysIn(deps.read, session.userId, wayRules(deps.config)),
    factorStanding(deps.read, session.userId),
    listIdentities(deps.read, session.userId),
    listSignIns(deps, session.userId, 1),
    deps.read
      .selectFrom('users')
      .select('password_set_at')
      .where('id', '=', session.userId)
      .executeTakeFirst(),
  ])
  const connected = providers.filter(({ issuer }) => identities.some((one) => one.issuer === issuer))
  const namesOf = connected.map(({ name }) => name).join(t.common.comma)
  const isLess = ways.some(({ way }) => way === 'password') && ways.some(({ way }) => way !== 'password')
  return html`${choiceList(visit, t.passkeys.others, [
    {
      path: '/settings/password',
      name: t.account.password,
      value: session.hasPassword ? since(visit, user?.password_set_at ?? null) : t.preferences.none,
    },
    { path: '/settings/two_step', name: t.twoStep.title, value: factor.on ? t.common.on : t.common.off },
    ...(providers.length === 0
      ? []
      : [{ path: '/settings/providers', name: t.providers.title, value: namesOf || t.preferences.none }]),
    {
      path: '/settings/sign_ins',
      name: t.signIns.title,
      ...(last !== undefined && { value: html`${t.passkeys.last} ${moment(visit, last.at)}` }),
    },
  ])}
  ${
    hasPasskeys && isLess
      ? html`<div class="note" id="less">${icon('shield')}<p class="text">${t.passkeys.less}</p>
        <a class="button small" href="${basePath}/settings/password/remove">${t.password.remove}</a></div>`
      : ''
  }`
}

/** '' for a password older than what is noted of it. */
const since = (visit: MemberVisit, at: number | null): string =>
  at === null ? '' : visit.t.passkeys.since(formatDay(visit, readerTime(visit, at).dayNumber, 'month'))
