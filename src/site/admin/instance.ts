import { instanceName, instanceText, saveInstanceText } from '../../accounts/instance-text'
import { html } from '../../pages/html'
import { linesField, textField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineForm } from '../../web/form'
import { administrator, seeOther } from '../../web/page'
import { adminPage } from './tabs'

/** What this instance is called and says about itself, and who may join it. */
export const adminInstance = defineForm({
  path: '/admin/instance',
  access: administrator,
  fields: {
    name: textField({
      label: (t) => t.common.name,
      hint: (t) => t.admin.nameHint,
      optional: true,
      value: instanceName,
    }),
    text: linesField({ label: (t) => t.admin.aboutInstance, limit: 300, optional: true }),
    question: linesField({
      label: (t) => t.admin.joinQuestion,
      hint: (t) => t.admin.joinQuestionHint,
      limit: 300,
      optional: true,
    }),
  },
  button: (t) => t.common.save,
  initial: async ({ deps }) => ({ ...(await instanceText(deps.read)) }),
  show: (visit, form) => {
    const { deps, t } = visit
    const { registration } = deps.config
    return adminPage(visit, 'instance', {
      main: html`${form}
        <dl class="instance-facts"><dt>${t.admin.registration}</dt>
          <dd>${t.registrations[registration]} (<code>--registration ${registration}</code>)</dd></dl>`,
    })
  },
  submit: async (visit, texts) => {
    const { deps, context, session } = visit
    await saveInstanceText(deps, texts)
    deps.log('instance_named', { id: context.id, by: session.userId })
    setFlash(visit, 'saved')
    return seeOther(visit, '/admin/instance')
  },
})
