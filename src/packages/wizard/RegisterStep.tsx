import { Alert, Checkbox, Stack, Text } from '@grafana/ui';
import type { Dependency } from '@nodebell/contract/package.ts';
import type { BridgeError } from '../../api/errors';
import { t, Trans } from '../../i18n/t';
import { StateText } from '../../components/StateText';
import { changeMessage } from '../changeMessages';
import { dependencyStatus, nodeRequirementMessage, statusItems } from '../messages';
import { needsConfirmation } from './steps';
import type { Wizard } from './useWizard';
import { List } from '../../components/List';

const isLacking = ({ optional, state }: Dependency): boolean =>
  !optional && (state === 'missing' || state === 'unsatisfied');

/** Summary of the change before it is registered. */
export function RegisterStep({ wizard }: { wizard: Wizard }) {
  const { preview } = wizard.draft;
  if (!preview?.summary || !preview.change) {
    return null;
  }
  const { summary, facts, nodeRequirement } = preview;
  const unmet = facts?.dependencies.filter(isLacking) ?? [];
  return (
    <Stack direction="column" gap={2} maxWidth="760px">
      <Text element="p">
        <strong dir="auto">{summary.dnpName}</strong>: {changeMessage(preview.change)}
      </Text>
      <List gap={0.5}>
        {statusItems({ ...summary, missingDependencies: 0, origin: { kind: 'api' } }).map((sign) => (
          <li key={sign.text}>
            <StateText {...sign} />
          </li>
        ))}
        {nodeRequirement?.state === 'unmet' && (
          <li>
            <StateText
              icon="exclamation-triangle"
              tone="warning"
              text={t('packages.register.needs-node', 'Requires node {{version}}', {
                version: nodeRequirementMessage(nodeRequirement.minimum, nodeRequirement),
              })}
            />
          </li>
        )}
        {unmet.map((dependency) => (
          <li key={dependency.name}>
            <Stack wrap rowGap={0}>
              <span>
                <Trans i18nKey="packages.register.needs" values={{ name: dependency.name, range: dependency.range }}>
                  Requires {'{{name}}'} <code>{'{{range}}'}</code>
                </Trans>
              </span>
              <StateText {...dependencyStatus(dependency)} />
            </Stack>
          </li>
        ))}
      </List>
      {needsConfirmation(preview) && <Confirmation wizard={wizard} isDowngrade={preview.change.kind === 'downgrade'} />}
      {wizard.failure && <Failure error={wizard.failure} />}
    </Stack>
  );
}

function Confirmation({ wizard, isDowngrade }: { wizard: Wizard; isDowngrade: boolean }) {
  return (
    <div>
      <Checkbox
        label={
          isDowngrade
            ? t('packages.register.downgrade', 'Register the older version anyway')
            : t('packages.register.replace', 'Replace the content of this version')
        }
        description={t('packages.register.caution', 'Downgrades are rarely tested. Back up the package files first.')}
        value={wizard.draft.downgradeConfirmed}
        onChange={({ currentTarget }) => wizard.confirmDowngrade(currentTarget.checked)}
      />
    </div>
  );
}

function Failure({ error }: { error: BridgeError }) {
  const mistakes = error.problem?.errors ?? [];
  return (
    <Alert severity="error" title={t('packages.register.failed', 'Could not register the package')} bottomSpacing={0}>
      {error.message}
      {mistakes.length > 0 && (
        <ul>
          {mistakes.map(({ pointer, detail }, index) => (
            <li key={index}>
              <code>{pointer}</code> {detail}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
