import { endSessions } from '../../accounts/sign-in/session'
import { setCookie } from '../../web/cookies'
import { defineAction } from '../../web/form'
import { anyone, seeOther } from '../../web/page'

/** Also succeeds if the session has already ended. */
export const signOut = defineAction({
  path: '/sign_out',
  access: anyone,
  run: async (visit) => {
    const { deps, session, cookies } = visit
    if (session !== undefined) await deps.write((tx) => endSessions(tx, session.userId, { only: session.id }))
    cookies.push(setCookie('sid', '', 0, deps.config.baseUrl))
    return seeOther(visit, '/')
  },
})
