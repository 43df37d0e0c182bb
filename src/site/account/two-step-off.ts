import { tellOwner } from '../../accounts/account/tell-owner'
import { removeSecondFactor } from '../../accounts/sign-in/second-factor'
import { endSessions } from '../../accounts/sign-in/session'
import { twoStepOffLetter } from '../../mail/letters'
import { html } from '../../pages/html'
import { titled } from '../../pages/titled'
import { checkbox } from '../../web/fields'
import { defineForm } from '../../web/form'
import { recent, seeOther } from '../../web/page'
import { FormProblem } from '../../web/problem'
import { mustHaveFactor } from '../../web/required-factor'
import { codeField, proveFactor } from '../sign-in/code-field'

/** Asks for a code, so that an unattended browser is not enough. */
export const turnOffTwoStep = defineForm({
  path: '/settings/two_step/off',
  access: recent,
  fields: {
    code: codeField,
    end_sessions: checkbox({
      label: (t) => t.sessions.signOutOthers,
      hint: (t) => t.twoStep.signOutOthersHint,
    }),
  },
  button: (t) => t.twoStep.turnOff,
  show: ({ t }, form) => titled(t.twoStep.turnOffTitle, html`<p>${t.twoStep.passwordAlone}</p>${form}`),
  submit: async (visit, { code, end_sessions }) => {
    const { deps, session, context } = visit
    const { userId } = session
    if (mustHaveFactor(visit)) throw required()
    await proveFactor(visit, code)
    const ended = await deps.write(async (tx) => {
      await removeSecondFactor(tx, userId)
      return end_sessions ? await endSessions(tx, userId, { except: session.id }) : 0
    })
    deps.log('two_step_off', { id: context.id, user: userId, ended })
    tellOwner(deps, userId, { letter: twoStepOffLetter, language: visit.language })
    return seeOther(visit, '/settings/two_step')
  },
})

const required = () => new FormProblem('', (t) => t.twoStep.required, 403)
