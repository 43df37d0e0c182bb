import { storeKeptForm } from '../../accounts/sign-in/session'
import { readOwnForm } from '../../web/form'
import { formMarkup } from '../../web/form-markup'
import { keptJson, keptText } from '../../web/kept-form'
import { type PageRoute, seeOther } from '../../web/page'
import { queryText, type Visit } from '../../web/visit'
import { signInForm, signInPage } from './sign-in'

/** What somebody sent after their session had ended: the sign-in page keeps it in a field of its form. */
export const signInKept: PageRoute = {
  method: 'POST',
  path: '/sign_in/kept',
  answer: async (visit) => {
    const kept = keptText(queryText(visit, 'path'), await readOwnForm(visit))
    const { session } = visit
    // Signed in again meanwhile, in another tab.
    if (session !== undefined) {
      await visit.deps.write((tx) => storeKeptForm(tx, session.id, keptJson(kept) ?? null))
      return seeOther(visit, '/kept')
    }
    return { ...(await page(visit, kept)), status: 403 }
  },
}

function page(visit: Visit, kept: string) {
  const texts = { kept, return_to: queryText(visit, 'return_to') }
  const form = formMarkup(visit, signInForm(visit.deps), { texts, problems: {} }, '/sign_in')
  return signInPage(visit, form, texts)
}
