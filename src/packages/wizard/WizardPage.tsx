import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';
import { Alert, Box, LinkButton, Stack, Text, useStyles2 } from '@grafana/ui';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router-dom';
import { t } from '../../i18n/t';
import { may } from '../../api/permissions';
import { linkProps } from '../../components/links';
import { pathTo } from '../../routes';
import { PackageAvatar } from '../../components/SenderAvatar';
import { versionLabel } from '../messages';
import { DisclaimerStep, WarningsStep } from './DisclaimerStep';
import { FindingsStep } from './FindingsStep';
import { ManifestStep } from './ManifestStep';
import { NotificationsStep } from './NotificationsStep';
import { RegisterStep } from './RegisterStep';
import { Stepper } from './Stepper';
import type { Step } from './steps';
import { useWizard, type Wizard } from './useWizard';
import { WizardFooter } from './WizardFooter';
import { BreakWords } from '../../components/BreakWords';
import { usePageNav } from '../../components/usePageNav';

/** Wizard that registers or updates a package. */
export default function WizardPage() {
  const { dnpName } = useParams();
  const wizard = useWizard(dnpName);
  const title =
    dnpName === undefined ? t('packages.wizard.add', 'Add package') : t('packages.wizard.update', 'Update package');
  const pageNav = usePageNav('packages', title);
  return (
    <PluginPage
      pageNav={pageNav}
      renderTitle={() => <Title title={title} dnpName={dnpName} wizard={wizard} />}
      actions={
        <LinkButton
          variant="secondary"
          fill="text"
          icon="times"
          {...linkProps(dnpName === undefined ? pathTo.packages : pathTo.package(dnpName))}
        >
          {t('packages.wizard.cancel', 'Cancel')}
        </LinkButton>
      }
    >
      {may('packages:write') ? (
        <BreakWords>
          <Steps wizard={wizard} />
        </BreakWords>
      ) : (
        <Alert severity="info" title={t('packages.wizard.viewer', 'Only editors and admins can add packages')} />
      )}
    </PluginPage>
  );
}

function Title({ title, dnpName, wizard }: { title: string; dnpName: string | undefined; wizard: Wizard }) {
  const summary = wizard.step === 'manifest' ? undefined : wizard.draft.preview?.summary;
  const name = summary?.dnpName ?? dnpName;
  return (
    <Stack alignItems="center" gap={1.5}>
      {name !== undefined && <PackageAvatar dnpName={name} size={40} />}
      <Box minWidth={0}>
        <Text element="h1">{title}</Text>
        {name !== undefined && (
          <Text element="p" color="secondary" dir="auto">
            {summary ? `${name} ${versionLabel(summary)}` : name}
          </Text>
        )}
      </Box>
    </Stack>
  );
}

const CONTENT: Record<Step, (props: { wizard: Wizard }) => React.ReactNode> = {
  manifest: ManifestStep,
  findings: FindingsStep,
  warnings: WarningsStep,
  disclaimer: DisclaimerStep,
  notifications: NotificationsStep,
  register: RegisterStep,
};

function Steps({ wizard }: { wizard: Wizard }) {
  const styles = useStyles2(getStyles);
  const { step, draft } = wizard;
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  // Move focus to the heading, so that screen readers announce the new step.
  useEffect(() => {
    if (!first.current) {
      heading.current?.focus();
    }
    first.current = false;
  }, [step]);
  const Content = CONTENT[step];
  return (
    <Stack direction="column" gap={3}>
      <Stepper step={step} preview={draft.preview} />
      <section aria-labelledby="wizard-step">
        <h2 id="wizard-step" ref={heading} tabIndex={-1} className={styles.heading}>
          {HEADINGS[step]()}
        </h2>
        <Content wizard={wizard} />
      </section>
      <WizardFooter wizard={wizard} />
    </Stack>
  );
}

const HEADINGS: Record<Step, () => string> = {
  manifest: () => t('packages.heading.manifest', 'Add the package files'),
  findings: () => t('packages.heading.findings', 'Review the findings'),
  warnings: () => t('packages.heading.warnings', 'Review the warnings'),
  disclaimer: () => t('packages.heading.disclaimer', 'Accept the disclaimer'),
  notifications: () => t('packages.heading.notifications', 'Configure notifications'),
  register: () => t('packages.heading.register', 'Register the package'),
};

const getStyles = (theme: GrafanaTheme2) => ({
  heading: css({ ...theme.typography.h4, margin: theme.spacing(0, 0, 2), '&:focus': { outline: 'none' } }),
});
