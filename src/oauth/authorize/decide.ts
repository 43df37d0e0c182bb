import type { Tx } from '../../db/write'
import { PageProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { type Application, findApplication } from '../clients/application'
import { covers } from '../scope'
import { issueCode } from './authorization-code'
import type { ClientDestination } from './client-answer'
import { takeRequest } from './consent-request'
import { isAccepted } from './redirect-uri'

export type Decision = 'approve' | 'deny'

/** Throws a page for any other text. */
export function readDecision(text: string): Decision {
  if (text === 'approve' || text === 'deny') return text
  throw new PageProblem(400, (t) => [t.consent.undecidedTitle, t.consent.undecided])
}

/** `over`: expired or already decided; `changed`: no longer covered by the application's registration. */
export type DecisionOutcome =
  | { readonly outcome: 'approved'; readonly to: ClientDestination; readonly code: string }
  | { readonly outcome: 'denied'; readonly to: ClientDestination }
  | { readonly outcome: 'over' | 'changed' }

/** Only the handle identifies the request, and everything is checked again (AZ-21, AZ-29). */
export async function decide(
  visit: MemberVisit,
  handle: string,
  decision: Decision,
): Promise<DecisionOutcome> {
  const { deps, session, context } = visit
  const { decided, client } = await deps.write((tx) => applyDecision(tx, visit, handle, decision))
  const { outcome } = decided
  deps.log('consent', { id: context.id, outcome, user: session.userId, client: client?.uid })
  return decided
}

async function applyDecision(
  tx: Tx,
  { deps, session }: MemberVisit,
  handle: string,
  decision: Decision,
): Promise<{ decided: DecisionOutcome; client?: Application }> {
  const at = deps.now()
  const asked = await takeRequest(tx, session.id, handle, at)
  const client = asked && (await findApplication(tx, asked.client))
  if (asked === undefined || client === undefined) return { decided: { outcome: 'over' } }
  const isRegistered = isAccepted(client.redirectUris, asked.redirectUri)
  if (!isRegistered || !covers(client.scope, asked.scope)) return { decided: { outcome: 'changed' }, client }
  const to = { ...asked, application: client }
  if (decision === 'deny') return { decided: { outcome: 'denied', to }, client }
  const code = await issueCode(tx, { ...asked, userId: session.userId }, deps.random, at)
  return { decided: { outcome: 'approved', to, code }, client }
}
