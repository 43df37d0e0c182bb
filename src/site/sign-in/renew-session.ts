import { deviceTime, rememberDevice } from '../../accounts/sign-in/device'
import { longestTime, renewSession } from '../../accounts/sign-in/session'
import { createSecret } from '../../lib/secret'
import { cookieOf, setCookie } from '../../web/cookies'
import type { MemberVisit } from '../../web/visit'

/** Rotates the session and device cookies after re-authentication (oauth.md §2.2); does nothing if the session has ended. */
export async function renew({ deps, request, session, cookies }: MemberVisit): Promise<void> {
  const { baseUrl } = deps.config
  const [at, believed] = [deps.now(), deps.wallClock.believed()]
  const cookie = createSecret('se', deps.random)
  const device = createSecret('br', deps.random)
  const before = cookieOf(request, 'device', baseUrl) ?? ''
  const isRenewed = await deps.write(async (tx) => {
    if (!(await renewSession(tx, session.id, { cookie, at }))) return false
    await rememberDevice(tx, { userId: session.userId, device, before, at, believed })
    return true
  })
  if (!isRenewed) return
  cookies.push(setCookie('sid', cookie, longestTime / 1000, baseUrl))
  cookies.push(setCookie('device', device, deviceTime / 1000, baseUrl))
}
