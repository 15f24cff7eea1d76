/**
 * The operations of GitHub's description that this forge does not implement. Written by `pnpm coverage` from
 * @octokit/openapi 23.0.2. Format: see UnimplementedOperations.ts.
 */
export const TABLE = `
security-advisories/global-advisories
/advisories GET list-global-security-advisories
/advisories/{ghsa_id} GET get-a-global-security-advisory
agent-tasks/agent-tasks
/agents/repos/{owner}/{repo}/tasks GET list-tasks-for-repository POST start-a-task
/agents/repos/{owner}/{repo}/tasks/{task_id} GET get-a-task-by-repo
/agents/tasks GET list-tasks
/agents/tasks/{task_id} GET get-a-task-by-id
apps/oauth-applications
/applications/{client_id}/grant DELETE delete-an-app-authorization
/applications/{client_id}/token POST check-a-token PATCH reset-a-token DELETE delete-an-app-token
apps/apps
/applications/{client_id}/token/scoped POST create-a-scoped-access-token
classroom/classroom
/assignments/{assignment_id} GET closing-down---get-an-assignment
/assignments/{assignment_id}/accepted_assignments GET closing-down---list-accepted-assignments-for-an-assignment
/assignments/{assignment_id}/grades GET closing-down---get-assignment-grades
/classrooms GET closing-down---list-classrooms
/classrooms/{classroom_id} GET closing-down---get-a-classroom
/classrooms/{classroom_id}/assignments GET closing-down---list-assignments-for-a-classroom
codes-of-conduct/codes-of-conduct
/codes_of_conduct GET get-all-codes-of-conduct
/codes_of_conduct/{key} GET get-a-code-of-conduct
credentials/revoke
/credentials/revoke POST revoke-a-list-of-credentials
emojis/emojis
/emojis GET get-emojis
actions/oidc
/enterprises/{enterprise}/actions/oidc/customization/properties/repo GET list-oidc-custom-property-inclusions-for-an-enterprise POST create-an-oidc-custom-property-inclusion-for-an-enterprise
/enterprises/{enterprise}/actions/oidc/customization/properties/repo/{custom_property_name} DELETE delete-an-oidc-custom-property-inclusion-for-an-enterprise
/orgs/{org}/actions/oidc/customization/properties/repo GET list-oidc-custom-property-inclusions-for-an-organization POST create-an-oidc-custom-property-inclusion-for-an-organization
/orgs/{org}/actions/oidc/customization/properties/repo/{custom_property_name} DELETE delete-an-oidc-custom-property-inclusion-for-an-organization
/orgs/{org}/actions/oidc/customization/sub GET get-the-customization-template-for-an-oidc-subject-claim-for-an-organization PUT set-the-customization-template-for-an-oidc-subject-claim-for-an-organization
/repos/{owner}/{repo}/actions/oidc/customization/sub GET get-the-customization-template-for-an-oidc-subject-claim-for-a-repository PUT set-the-customization-template-for-an-oidc-subject-claim-for-a-repository
code-security/configurations
/enterprises/{enterprise}/code-security/configurations GET get-code-security-configurations-for-an-enterprise POST create-a-code-security-configuration-for-an-enterprise
/enterprises/{enterprise}/code-security/configurations/defaults GET get-default-code-security-configurations-for-an-enterprise
/enterprises/{enterprise}/code-security/configurations/{configuration_id} GET retrieve-a-code-security-configuration-of-an-enterprise PATCH update-a-custom-code-security-configuration-for-an-enterprise DELETE delete-a-code-security-configuration-for-an-enterprise
/enterprises/{enterprise}/code-security/configurations/{configuration_id}/attach POST attach-an-enterprise-configuration-to-repositories
/enterprises/{enterprise}/code-security/configurations/{configuration_id}/defaults PUT set-a-code-security-configuration-as-a-default-for-an-enterprise
/enterprises/{enterprise}/code-security/configurations/{configuration_id}/repositories GET get-repositories-associated-with-an-enterprise-code-security-configuration
/orgs/{org}/code-security/configurations GET get-code-security-configurations-for-an-organization POST create-a-code-security-configuration
/orgs/{org}/code-security/configurations/defaults GET get-default-code-security-configurations
/orgs/{org}/code-security/configurations/detach DELETE detach-configurations-from-repositories
/orgs/{org}/code-security/configurations/{configuration_id} GET get-a-code-security-configuration PATCH update-a-code-security-configuration DELETE delete-a-code-security-configuration
/orgs/{org}/code-security/configurations/{configuration_id}/attach POST attach-a-configuration-to-repositories
/orgs/{org}/code-security/configurations/{configuration_id}/defaults PUT set-a-code-security-configuration-as-a-default-for-an-organization
/orgs/{org}/code-security/configurations/{configuration_id}/repositories GET get-repositories-associated-with-a-code-security-configuration
/repos/{owner}/{repo}/code-security-configuration GET get-the-code-security-configuration-associated-with-a-repository
copilot/copilot-usage-metrics
/enterprises/{enterprise}/copilot/metrics/reports/enterprise-1-day GET get-copilot-enterprise-usage-metrics-for-a-specific-day
/enterprises/{enterprise}/copilot/metrics/reports/enterprise-28-day/latest GET get-copilot-enterprise-usage-metrics
/enterprises/{enterprise}/copilot/metrics/reports/repos-1-day GET get-copilot-enterprise-repository-report-for-a-specific-day
/enterprises/{enterprise}/copilot/metrics/reports/user-teams-1-day GET get-copilot-enterprise-user-teams-report-for-a-specific-day
/enterprises/{enterprise}/copilot/metrics/reports/users-1-day GET get-copilot-users-usage-metrics-for-a-specific-day
/enterprises/{enterprise}/copilot/metrics/reports/users-28-day/latest GET get-copilot-users-usage-metrics
/orgs/{org}/copilot/metrics/reports/organization-1-day GET get-copilot-organization-usage-metrics-for-a-specific-day
/orgs/{org}/copilot/metrics/reports/organization-28-day/latest GET get-copilot-organization-usage-metrics
/orgs/{org}/copilot/metrics/reports/repos-1-day GET get-copilot-organization-repository-report-for-a-specific-day
/orgs/{org}/copilot/metrics/reports/user-teams-1-day GET get-copilot-organization-user-teams-report-for-a-specific-day
/orgs/{org}/copilot/metrics/reports/users-1-day GET get-copilot-organization-users-usage-metrics-for-a-specific-day
/orgs/{org}/copilot/metrics/reports/users-28-day/latest GET get-copilot-organization-users-usage-metrics
copilot/copilot-coding-agent-management
/enterprises/{enterprise}/copilot/policies/coding_agent PUT set-the-coding-agent-policy-for-an-enterprise
/enterprises/{enterprise}/copilot/policies/coding_agent/organizations POST add-organizations-to-the-enterprise-coding-agent-policy DELETE remove-organizations-from-the-enterprise-coding-agent-policy
/orgs/{org}/copilot/coding-agent/permissions GET get-copilot-cloud-agent-permissions-for-an-organization PUT set-copilot-cloud-agent-permissions-for-an-organization
/orgs/{org}/copilot/coding-agent/permissions/repositories GET list-repositories-enabled-for-copilot-cloud-agent-in-an-organization PUT set-selected-repositories-for-copilot-cloud-agent-in-an-organization
/orgs/{org}/copilot/coding-agent/permissions/repositories/{repository_id} PUT enable-a-repository-for-copilot-cloud-agent-in-an-organization DELETE disable-a-repository-for-copilot-cloud-agent-in-an-organization
dependabot/alerts
/enterprises/{enterprise}/dependabot/alerts GET list-dependabot-alerts-for-an-enterprise
/orgs/{org}/dependabot/alerts GET list-dependabot-alerts-for-an-organization
/repos/{owner}/{repo}/dependabot/alerts GET list-dependabot-alerts-for-a-repository
/repos/{owner}/{repo}/dependabot/alerts/{alert_number} GET get-a-dependabot-alert PATCH update-a-dependabot-alert
dependabot/repository-access
/enterprises/{enterprise}/dependabot/repository-access GET lists-the-repositories-dependabot-can-access-in-an-enterprise PATCH updates-dependabots-repository-access-list-for-an-enterprise
/enterprises/{enterprise}/dependabot/repository-access/default-level PUT set-the-default-repository-access-level-for-dependabot-in-an-enterprise
/orgs/{org}/dependabot/repository-access GET lists-the-repositories-dependabot-can-access-in-an-organization PATCH updates-dependabots-repository-access-list-for-an-organization
/orgs/{org}/dependabot/repository-access/default-level PUT set-the-default-repository-access-level-for-dependabot
enterprise-teams/enterprise-teams
/enterprises/{enterprise}/teams GET list-enterprise-teams POST create-an-enterprise-team
/enterprises/{enterprise}/teams/{team_slug} GET get-an-enterprise-team PATCH update-an-enterprise-team DELETE delete-an-enterprise-team
enterprise-teams/enterprise-team-members
/enterprises/{enterprise}/teams/{enterprise-team}/memberships GET list-members-in-an-enterprise-team
/enterprises/{enterprise}/teams/{enterprise-team}/memberships/add POST bulk-add-team-members
/enterprises/{enterprise}/teams/{enterprise-team}/memberships/remove POST bulk-remove-team-members
/enterprises/{enterprise}/teams/{enterprise-team}/memberships/{username} GET get-enterprise-team-membership PUT add-team-member DELETE remove-team-membership
enterprise-teams/enterprise-team-organizations
/enterprises/{enterprise}/teams/{enterprise-team}/organizations GET get-organization-assignments
/enterprises/{enterprise}/teams/{enterprise-team}/organizations/add POST add-organization-assignments
/enterprises/{enterprise}/teams/{enterprise-team}/organizations/remove POST remove-organization-assignments
/enterprises/{enterprise}/teams/{enterprise-team}/organizations/{org} GET get-organization-assignment PUT add-an-organization-assignment DELETE delete-an-organization-assignment
activity/feeds
/feeds GET get-feeds
gists/gists
/gists GET list-gists-for-the-authenticated-user POST create-a-gist
/gists/public GET list-public-gists
/gists/starred GET list-starred-gists
/gists/{gist_id} GET get-a-gist DELETE delete-a-gist
/gists/{gist_id}/commits GET list-gist-commits
/gists/{gist_id}/forks GET list-gist-forks POST fork-a-gist
/gists/{gist_id}/star GET check-if-a-gist-is-starred PUT star-a-gist DELETE unstar-a-gist
/gists/{gist_id}/{sha} GET get-a-gist-revision
/users/{username}/gists GET list-gists-for-a-user
reference/gists/
/gists/{gist_id} PATCH update-a-gist
gists/comments
/gists/{gist_id}/comments GET list-gist-comments POST create-a-gist-comment
/gists/{gist_id}/comments/{comment_id} GET get-a-gist-comment PATCH update-a-gist-comment DELETE delete-a-gist-comment
apps/marketplace
/marketplace_listing/accounts/{account_id} GET get-a-subscription-plan-for-an-account
/marketplace_listing/plans GET list-plans
/marketplace_listing/plans/{plan_id}/accounts GET list-accounts-for-a-plan
/marketplace_listing/stubbed/accounts/{account_id} GET get-a-subscription-plan-for-an-account-stubbed
/marketplace_listing/stubbed/plans GET list-plans-stubbed
/marketplace_listing/stubbed/plans/{plan_id}/accounts GET list-accounts-for-a-plan-stubbed
/user/marketplace_purchases GET list-subscriptions-for-the-authenticated-user
/user/marketplace_purchases/stubbed GET list-subscriptions-for-the-authenticated-user-stubbed
activity/events
/networks/{owner}/{repo}/events GET list-public-events-for-a-network-of-repositories
/users/{username}/events/orgs/{org} GET list-organization-events-for-the-authenticated-user
/users/{username}/received_events/public GET list-public-events-received-by-a-user
meta/meta
/octocat GET get-octocat
/versions GET get-all-api-versions
/zen GET get-the-zen-of-github
billing/budgets
/organizations/{org}/settings/billing/budgets GET get-all-budgets-for-an-organization POST create-a-budget-for-an-organization
/organizations/{org}/settings/billing/budgets/{budget_id} GET get-a-budget-by-id-for-an-organization PATCH update-a-budget-for-an-organization DELETE delete-a-budget-for-an-organization
orgs/orgs
/orgs/{org} DELETE delete-an-organization
/orgs/{org}/{security_product}/{enablement} POST enable-or-disable-a-security-feature-for-an-organization
actions/cache
/orgs/{org}/actions/cache/usage-by-repository GET list-repositories-with-github-actions-cache-usage-for-an-organization
/repos/{owner}/{repo}/actions/cache/retention-limit GET get-github-actions-cache-retention-limit-for-a-repository PUT set-github-actions-cache-retention-limit-for-a-repository
/repos/{owner}/{repo}/actions/cache/storage-limit GET get-github-actions-cache-storage-limit-for-a-repository PUT set-github-actions-cache-storage-limit-for-a-repository
actions/hosted-runners
/orgs/{org}/actions/hosted-runners GET list-github-hosted-runners-for-an-organization POST create-a-github-hosted-runner-for-an-organization
/orgs/{org}/actions/hosted-runners/images/custom GET list-custom-images-for-an-organization
/orgs/{org}/actions/hosted-runners/images/custom/{image_definition_id} GET get-a-custom-image-definition-for-github-actions-hosted-runners DELETE delete-a-custom-image-from-the-organization
/orgs/{org}/actions/hosted-runners/images/custom/{image_definition_id}/versions GET list-image-versions-of-a-custom-image-for-an-organization
/orgs/{org}/actions/hosted-runners/images/custom/{image_definition_id}/versions/{version} GET get-an-image-version-of-a-custom-image-for-github-actions-hosted-runners DELETE delete-an-image-version-of-custom-image-from-the-organization
/orgs/{org}/actions/hosted-runners/images/github-owned GET get-github-owned-images-for-github-hosted-runners-in-an-organization
/orgs/{org}/actions/hosted-runners/images/partner GET get-partner-images-for-github-hosted-runners-in-an-organization
/orgs/{org}/actions/hosted-runners/limits GET get-limits-on-github-hosted-runners-for-an-organization
/orgs/{org}/actions/hosted-runners/machine-sizes GET get-github-hosted-runners-machine-specs-for-an-organization
/orgs/{org}/actions/hosted-runners/platforms GET get-platforms-for-github-hosted-runners-in-an-organization
/orgs/{org}/actions/hosted-runners/{hosted_runner_id} GET get-a-github-hosted-runner-for-an-organization PATCH update-a-github-hosted-runner-for-an-organization DELETE delete-a-github-hosted-runner-for-an-organization
actions/permissions
/orgs/{org}/actions/permissions/repositories GET list-selected-repositories-enabled-for-github-actions-in-an-organization PUT set-selected-repositories-enabled-for-github-actions-in-an-organization
/orgs/{org}/actions/permissions/repositories/{repository_id} PUT enable-a-selected-repository-for-github-actions-in-an-organization DELETE disable-a-selected-repository-for-github-actions-in-an-organization
/orgs/{org}/actions/permissions/selected-actions GET get-allowed-actions-and-reusable-workflows-for-an-organization PUT set-allowed-actions-and-reusable-workflows-for-an-organization
/orgs/{org}/actions/permissions/self-hosted-runners GET get-self-hosted-runners-settings-for-an-organization PUT set-self-hosted-runners-settings-for-an-organization
/orgs/{org}/actions/permissions/self-hosted-runners/repositories GET list-repositories-allowed-to-use-self-hosted-runners-in-an-organization PUT set-repositories-allowed-to-use-self-hosted-runners-in-an-organization
/orgs/{org}/actions/permissions/self-hosted-runners/repositories/{repository_id} PUT add-a-repository-to-the-list-of-repositories-allowed-to-use-self-hosted-runners-in-an-organization DELETE remove-a-repository-from-the-list-of-repositories-allowed-to-use-self-hosted-runners-in-an-organization
/orgs/{org}/actions/permissions/workflow GET get-default-workflow-permissions-for-an-organization PUT set-default-workflow-permissions-for-an-organization
/repos/{owner}/{repo}/actions/permissions GET get-github-actions-permissions-for-a-repository PUT set-github-actions-permissions-for-a-repository
/repos/{owner}/{repo}/actions/permissions/access GET get-the-level-of-access-for-workflows-outside-of-the-repository PUT set-the-level-of-access-for-workflows-outside-of-the-repository
/repos/{owner}/{repo}/actions/permissions/artifact-and-log-retention GET get-artifact-and-log-retention-settings-for-a-repository PUT set-artifact-and-log-retention-settings-for-a-repository
/repos/{owner}/{repo}/actions/permissions/fork-pr-contributor-approval GET get-fork-pr-contributor-approval-permissions-for-a-repository PUT set-fork-pr-contributor-approval-permissions-for-a-repository
/repos/{owner}/{repo}/actions/permissions/fork-pr-workflows-private-repos GET get-private-repo-fork-pr-workflow-settings-for-a-repository PUT set-private-repo-fork-pr-workflow-settings-for-a-repository
/repos/{owner}/{repo}/actions/permissions/selected-actions GET get-allowed-actions-and-reusable-workflows-for-a-repository PUT set-allowed-actions-and-reusable-workflows-for-a-repository
/repos/{owner}/{repo}/actions/permissions/workflow GET get-default-workflow-permissions-for-a-repository PUT set-default-workflow-permissions-for-a-repository
actions/self-hosted-runner-groups
/orgs/{org}/actions/runner-groups GET list-self-hosted-runner-groups-for-an-organization POST create-a-self-hosted-runner-group-for-an-organization
/orgs/{org}/actions/runner-groups/{runner_group_id} GET get-a-self-hosted-runner-group-for-an-organization PATCH update-a-self-hosted-runner-group-for-an-organization DELETE delete-a-self-hosted-runner-group-from-an-organization
/orgs/{org}/actions/runner-groups/{runner_group_id}/hosted-runners GET list-github-hosted-runners-in-a-group-for-an-organization
/orgs/{org}/actions/runner-groups/{runner_group_id}/repositories GET list-repository-access-to-a-self-hosted-runner-group-in-an-organization PUT set-repository-access-for-a-self-hosted-runner-group-in-an-organization
/orgs/{org}/actions/runner-groups/{runner_group_id}/repositories/{repository_id} PUT add-repository-access-to-a-self-hosted-runner-group-in-an-organization DELETE remove-repository-access-to-a-self-hosted-runner-group-in-an-organization
/orgs/{org}/actions/runner-groups/{runner_group_id}/runners GET list-self-hosted-runners-in-a-group-for-an-organization PUT set-self-hosted-runners-in-a-group-for-an-organization
/orgs/{org}/actions/runner-groups/{runner_group_id}/runners/{runner_id} PUT add-a-self-hosted-runner-to-a-group-for-an-organization DELETE remove-a-self-hosted-runner-from-a-group-for-an-organization
actions/self-hosted-runners
/orgs/{org}/actions/runners GET list-self-hosted-runners-for-an-organization
/orgs/{org}/actions/runners/downloads GET list-runner-applications-for-an-organization
/orgs/{org}/actions/runners/generate-jitconfig POST create-configuration-for-a-just-in-time-runner-for-an-organization
/orgs/{org}/actions/runners/registration-token POST create-a-registration-token-for-an-organization
/orgs/{org}/actions/runners/remove-token POST create-a-remove-token-for-an-organization
/orgs/{org}/actions/runners/{runner_id} GET get-a-self-hosted-runner-for-an-organization DELETE delete-a-self-hosted-runner-from-an-organization
/orgs/{org}/actions/runners/{runner_id}/labels GET list-labels-for-a-self-hosted-runner-for-an-organization POST add-custom-labels-to-a-self-hosted-runner-for-an-organization PUT set-custom-labels-for-a-self-hosted-runner-for-an-organization DELETE remove-all-custom-labels-from-a-self-hosted-runner-for-an-organization
/orgs/{org}/actions/runners/{runner_id}/labels/{name} DELETE remove-a-custom-label-from-a-self-hosted-runner-for-an-organization
/repos/{owner}/{repo}/actions/runners GET list-self-hosted-runners-for-a-repository
/repos/{owner}/{repo}/actions/runners/downloads GET list-runner-applications-for-a-repository
/repos/{owner}/{repo}/actions/runners/generate-jitconfig POST create-configuration-for-a-just-in-time-runner-for-a-repository
/repos/{owner}/{repo}/actions/runners/registration-token POST create-a-registration-token-for-a-repository
/repos/{owner}/{repo}/actions/runners/remove-token POST create-a-remove-token-for-a-repository
/repos/{owner}/{repo}/actions/runners/{runner_id} GET get-a-self-hosted-runner-for-a-repository DELETE delete-a-self-hosted-runner-from-a-repository
/repos/{owner}/{repo}/actions/runners/{runner_id}/labels GET list-labels-for-a-self-hosted-runner-for-a-repository POST add-custom-labels-to-a-self-hosted-runner-for-a-repository PUT set-custom-labels-for-a-self-hosted-runner-for-a-repository DELETE remove-all-custom-labels-from-a-self-hosted-runner-for-a-repository
/repos/{owner}/{repo}/actions/runners/{runner_id}/labels/{name} DELETE remove-a-custom-label-from-a-self-hosted-runner-for-a-repository
agents/secrets
/orgs/{org}/agents/secrets GET list-organization-secrets
/orgs/{org}/agents/secrets/public-key GET get-an-organization-public-key
/orgs/{org}/agents/secrets/{secret_name} GET get-an-organization-secret PUT create-or-update-an-organization-secret DELETE delete-an-organization-secret
/orgs/{org}/agents/secrets/{secret_name}/repositories GET list-selected-repositories-for-an-organization-secret PUT set-selected-repositories-for-an-organization-secret
/orgs/{org}/agents/secrets/{secret_name}/repositories/{repository_id} PUT add-selected-repository-to-an-organization-secret DELETE remove-selected-repository-from-an-organization-secret
/repos/{owner}/{repo}/agents/organization-secrets GET list-repository-organization-secrets
/repos/{owner}/{repo}/agents/secrets GET list-repository-secrets
/repos/{owner}/{repo}/agents/secrets/public-key GET get-a-repository-public-key
/repos/{owner}/{repo}/agents/secrets/{secret_name} GET get-a-repository-secret PUT create-or-update-a-repository-secret DELETE delete-a-repository-secret
agents/variables
/orgs/{org}/agents/variables GET list-organization-variables POST create-an-organization-variable
/orgs/{org}/agents/variables/{name} GET get-an-organization-variable PATCH update-an-organization-variable DELETE delete-an-organization-variable
/orgs/{org}/agents/variables/{name}/repositories GET list-selected-repositories-for-an-organization-variable PUT set-selected-repositories-for-an-organization-variable
/orgs/{org}/agents/variables/{name}/repositories/{repository_id} PUT add-selected-repository-to-an-organization-variable DELETE remove-selected-repository-from-an-organization-variable
/repos/{owner}/{repo}/agents/organization-variables GET list-repository-organization-variables
/repos/{owner}/{repo}/agents/variables GET list-repository-variables POST create-a-repository-variable
/repos/{owner}/{repo}/agents/variables/{name} GET get-a-repository-variable PATCH update-a-repository-variable DELETE delete-a-repository-variable
orgs/artifact-metadata
/orgs/{org}/artifacts/metadata/deployment-record POST create-an-artifact-deployment-record
/orgs/{org}/artifacts/metadata/deployment-record/cluster/{cluster} POST set-cluster-deployment-records
/orgs/{org}/artifacts/metadata/deployment-record/cluster/{cluster}/jobs POST create-a-cluster-deployment-records-job
/orgs/{org}/artifacts/metadata/deployment-record/cluster/{cluster}/jobs/{job_id} GET get-cluster-deployment-records-job-status
/orgs/{org}/artifacts/metadata/storage-record POST create-artifact-metadata-storage-record
/orgs/{org}/artifacts/{subject_digest}/metadata/deployment-records GET list-artifact-deployment-records
/orgs/{org}/artifacts/{subject_digest}/metadata/storage-records GET list-artifact-storage-records
orgs/attestations
/orgs/{org}/attestations/bulk-list POST list-attestations-by-bulk-subject-digests
/orgs/{org}/attestations/delete-request POST delete-attestations-in-bulk
/orgs/{org}/attestations/digest/{subject_digest} DELETE delete-attestations-by-subject-digest
/orgs/{org}/attestations/repositories GET list-attestation-repositories
/orgs/{org}/attestations/{attestation_id} DELETE delete-attestations-by-id
/orgs/{org}/attestations/{subject_digest} GET list-attestations
campaigns/campaigns
/orgs/{org}/campaigns GET list-campaigns-for-an-organization POST create-a-campaign-for-an-organization
/orgs/{org}/campaigns/{campaign_number} GET get-a-campaign-for-an-organization PATCH update-a-campaign DELETE delete-a-campaign-for-an-organization
code-scanning/code-scanning
/orgs/{org}/code-scanning/alerts GET list-code-scanning-alerts-for-an-organization
/repos/{owner}/{repo}/code-scanning/alerts/{alert_number} GET get-a-code-scanning-alert PATCH update-a-code-scanning-alert
/repos/{owner}/{repo}/code-scanning/alerts/{alert_number}/autofix GET get-the-status-of-an-autofix-for-a-code-scanning-alert POST create-an-autofix-for-a-code-scanning-alert
/repos/{owner}/{repo}/code-scanning/alerts/{alert_number}/autofix/commits POST commit-an-autofix-for-a-code-scanning-alert
/repos/{owner}/{repo}/code-scanning/alerts/{alert_number}/instances GET list-instances-of-a-code-scanning-alert
/repos/{owner}/{repo}/code-scanning/analyses GET list-code-scanning-analyses-for-a-repository
/repos/{owner}/{repo}/code-scanning/analyses/{analysis_id} GET get-a-code-scanning-analysis-for-a-repository DELETE delete-a-code-scanning-analysis-from-a-repository
/repos/{owner}/{repo}/code-scanning/codeql/databases GET list-codeql-databases-for-a-repository
/repos/{owner}/{repo}/code-scanning/codeql/databases/{language} GET get-a-codeql-database-for-a-repository DELETE delete-a-codeql-database
/repos/{owner}/{repo}/code-scanning/codeql/variant-analyses POST create-a-codeql-variant-analysis
/repos/{owner}/{repo}/code-scanning/codeql/variant-analyses/{codeql_variant_analysis_id} GET get-the-summary-of-a-codeql-variant-analysis
/repos/{owner}/{repo}/code-scanning/codeql/variant-analyses/{codeql_variant_analysis_id}/repos/{repo_owner}/{repo_name} GET get-the-analysis-status-of-a-repository-in-a-codeql-variant-analysis
/repos/{owner}/{repo}/code-scanning/default-setup GET get-a-code-scanning-default-setup-configuration PATCH update-a-code-scanning-default-setup-configuration
/repos/{owner}/{repo}/code-scanning/sarifs POST upload-an-analysis-as-sarif-data
/repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id} GET get-information-about-a-sarif-upload
codespaces/organizations
/orgs/{org}/codespaces GET list-codespaces-for-the-organization
/orgs/{org}/codespaces/access PUT manage-access-control-for-organization-codespaces
/orgs/{org}/codespaces/access/selected_users POST add-users-to-codespaces-access-for-an-organization DELETE remove-users-from-codespaces-access-for-an-organization
/orgs/{org}/members/{username}/codespaces GET list-codespaces-for-a-user-in-organization
/orgs/{org}/members/{username}/codespaces/{codespace_name} DELETE delete-a-codespace-from-the-organization
/orgs/{org}/members/{username}/codespaces/{codespace_name}/stop POST stop-a-codespace-for-an-organization-user
codespaces/organization-secrets
/orgs/{org}/codespaces/secrets GET list-organization-secrets
/orgs/{org}/codespaces/secrets/public-key GET get-an-organization-public-key
/orgs/{org}/codespaces/secrets/{secret_name} GET get-an-organization-secret PUT create-or-update-an-organization-secret DELETE delete-an-organization-secret
/orgs/{org}/codespaces/secrets/{secret_name}/repositories GET list-selected-repositories-for-an-organization-secret PUT set-selected-repositories-for-an-organization-secret
/orgs/{org}/codespaces/secrets/{secret_name}/repositories/{repository_id} PUT add-selected-repository-to-an-organization-secret DELETE remove-selected-repository-from-an-organization-secret
copilot-spaces/copilot-spaces
/orgs/{org}/copilot-spaces GET list-organization-copilot-spaces POST create-an-organization-copilot-space
/orgs/{org}/copilot-spaces/{space_number} GET get-an-organization-copilot-space PUT set-an-organization-copilot-space DELETE delete-an-organization-copilot-space
/users/{username}/copilot-spaces GET list-copilot-spaces-for-a-user POST create-a-copilot-space-for-a-user
/users/{username}/copilot-spaces/{space_number} GET get-a-copilot-space-for-a-user PUT set-a-copilot-space-for-a-user DELETE delete-a-copilot-space-for-a-user
copilot-spaces/collaborators
/orgs/{org}/copilot-spaces/{space_number}/collaborators GET list-collaborators-for-an-organization-copilot-space POST add-a-collaborator-to-an-organization-copilot-space
/orgs/{org}/copilot-spaces/{space_number}/collaborators/{actor_type}/{actor_identifier} PUT set-a-collaborator-role-for-an-organization-copilot-space DELETE remove-a-collaborator-from-an-organization-copilot-space
/users/{username}/copilot-spaces/{space_number}/collaborators GET list-collaborators-for-a-copilot-space-for-a-user POST add-a-collaborator-to-a-copilot-space-for-a-user
/users/{username}/copilot-spaces/{space_number}/collaborators/{actor_type}/{actor_identifier} PUT set-a-collaborator-role-for-a-copilot-space-for-a-user DELETE remove-a-collaborator-from-a-copilot-space-for-a-user
copilot-spaces/resources
/orgs/{org}/copilot-spaces/{space_number}/resources GET list-resources-for-an-organization-copilot-space POST create-a-resource-for-an-organization-copilot-space
/orgs/{org}/copilot-spaces/{space_number}/resources/{space_resource_id} GET get-a-resource-for-an-organization-copilot-space PUT set-a-resource-for-an-organization-copilot-space DELETE delete-a-resource-from-an-organization-copilot-space
/users/{username}/copilot-spaces/{space_number}/resources GET list-resources-for-a-copilot-space-for-a-user POST create-a-resource-for-a-copilot-space-for-a-user
/users/{username}/copilot-spaces/{space_number}/resources/{space_resource_id} GET get-a-resource-for-a-copilot-space-for-a-user PUT set-a-resource-for-a-copilot-space-for-a-user DELETE delete-a-resource-from-a-copilot-space-for-a-user
copilot/copilot-user-management
/orgs/{org}/copilot/billing GET get-copilot-seat-information-and-settings-for-an-organization
/orgs/{org}/copilot/billing/seats GET list-all-copilot-seat-assignments-for-an-organization
/orgs/{org}/copilot/billing/selected_teams POST add-teams-to-the-copilot-subscription-for-an-organization DELETE remove-teams-from-the-copilot-subscription-for-an-organization
/orgs/{org}/copilot/billing/selected_users POST add-users-to-the-copilot-subscription-for-an-organization DELETE remove-users-from-the-copilot-subscription-for-an-organization
/orgs/{org}/members/{username}/copilot GET get-copilot-seat-assignment-details-for-a-user
copilot/copilot-content-exclusion-management
/orgs/{org}/copilot/content_exclusion GET get-copilot-content-exclusion-rules-for-an-organization PUT set-copilot-content-exclusion-rules-for-an-organization
dependabot/secrets
/orgs/{org}/dependabot/secrets GET list-organization-secrets
/orgs/{org}/dependabot/secrets/public-key GET get-an-organization-public-key
/orgs/{org}/dependabot/secrets/{secret_name} GET get-an-organization-secret DELETE delete-an-organization-secret
/orgs/{org}/dependabot/secrets/{secret_name}/repositories GET list-selected-repositories-for-an-organization-secret PUT set-selected-repositories-for-an-organization-secret
/orgs/{org}/dependabot/secrets/{secret_name}/repositories/{repository_id} PUT add-selected-repository-to-an-organization-secret DELETE remove-selected-repository-from-an-organization-secret
/repos/{owner}/{repo}/dependabot/secrets GET list-repository-secrets
/repos/{owner}/{repo}/dependabot/secrets/public-key GET get-a-repository-public-key
/repos/{owner}/{repo}/dependabot/secrets/{secret_name} GET get-a-repository-secret PUT create-or-update-a-repository-secret DELETE delete-a-repository-secret
reference/dependabot
/orgs/{org}/dependabot/secrets/{secret_name} PUT create-or-update-an-organization-secret
packages/packages
/orgs/{org}/docker/conflicts GET get-list-of-conflicting-packages-during-docker-migration-for-organization
/orgs/{org}/packages GET list-packages-for-an-organization
/orgs/{org}/packages/{package_type}/{package_name} GET get-a-package-for-an-organization DELETE delete-a-package-for-an-organization
/orgs/{org}/packages/{package_type}/{package_name}/restore POST restore-a-package-for-an-organization
/orgs/{org}/packages/{package_type}/{package_name}/versions GET list-package-versions-for-a-package-owned-by-an-organization
/orgs/{org}/packages/{package_type}/{package_name}/versions/{package_version_id} GET get-a-package-version-for-an-organization DELETE delete-package-version-for-an-organization
/orgs/{org}/packages/{package_type}/{package_name}/versions/{package_version_id}/restore POST restore-package-version-for-an-organization
/user/docker/conflicts GET get-list-of-conflicting-packages-during-docker-migration-for-authenticated-user
/user/packages GET list-packages-for-the-authenticated-users-namespace
/user/packages/{package_type}/{package_name} GET get-a-package-for-the-authenticated-user DELETE delete-a-package-for-the-authenticated-user
/user/packages/{package_type}/{package_name}/restore POST restore-a-package-for-the-authenticated-user
/user/packages/{package_type}/{package_name}/versions GET list-package-versions-for-a-package-owned-by-the-authenticated-user
/user/packages/{package_type}/{package_name}/versions/{package_version_id} GET get-a-package-version-for-the-authenticated-user DELETE delete-a-package-version-for-the-authenticated-user
/user/packages/{package_type}/{package_name}/versions/{package_version_id}/restore POST restore-a-package-version-for-the-authenticated-user
/users/{username}/docker/conflicts GET get-list-of-conflicting-packages-during-docker-migration-for-user
/users/{username}/packages GET list-packages-for-a-user
/users/{username}/packages/{package_type}/{package_name} GET get-a-package-for-a-user DELETE delete-a-package-for-a-user
/users/{username}/packages/{package_type}/{package_name}/restore POST restore-a-package-for-a-user
/users/{username}/packages/{package_type}/{package_name}/versions GET list-package-versions-for-a-package-owned-by-a-user
/users/{username}/packages/{package_type}/{package_name}/versions/{package_version_id} GET get-a-package-version-for-a-user DELETE delete-package-version-for-a-user
/users/{username}/packages/{package_type}/{package_name}/versions/{package_version_id}/restore POST restore-package-version-for-a-user
orgs/members
/orgs/{org}/failed_invitations GET list-failed-organization-invitations
orgs/api-insights
/orgs/{org}/insights/api/time-stats/users/{user_id} GET get-time-stats-by-user
/orgs/{org}/insights/api/time-stats/{actor_type}/{actor_id} GET get-time-stats-by-actor
/orgs/{org}/insights/api/user-stats/{user_id} GET get-user-stats
interactions/orgs
/orgs/{org}/interaction-limits GET get-interaction-restrictions-for-an-organization PUT set-interaction-restrictions-for-an-organization DELETE remove-interaction-restrictions-for-an-organization
/orgs/{org}/interaction-limits/pulls/creation-cap GET get-pull-request-creation-cap-for-an-org PATCH update-pull-request-creation-cap-for-an-org
orgs/issue-fields
/orgs/{org}/issue-fields GET list-issue-fields-for-an-organization POST create-issue-field-for-an-organization
/orgs/{org}/issue-fields/{issue_field_id} PATCH update-issue-field-for-an-organization DELETE delete-issue-field-for-an-organization
migrations/orgs
/orgs/{org}/migrations GET list-organization-migrations POST start-an-organization-migration
/orgs/{org}/migrations/{migration_id} GET get-an-organization-migration-status
/orgs/{org}/migrations/{migration_id}/archive GET download-an-organization-migration-archive DELETE delete-an-organization-migration-archive
/orgs/{org}/migrations/{migration_id}/repos/{repo_name}/lock DELETE unlock-an-organization-repository
/orgs/{org}/migrations/{migration_id}/repositories GET list-repositories-in-an-organization-migration
orgs/organization-roles
/orgs/{org}/organization-roles GET get-all-organization-roles-for-an-organization
/orgs/{org}/organization-roles/teams/{team_slug} DELETE remove-all-organization-roles-for-a-team
/orgs/{org}/organization-roles/teams/{team_slug}/{role_id} PUT assign-an-organization-role-to-a-team DELETE remove-an-organization-role-from-a-team
/orgs/{org}/organization-roles/users/{username} DELETE remove-all-organization-roles-for-a-user
/orgs/{org}/organization-roles/users/{username}/{role_id} PUT assign-an-organization-role-to-a-user DELETE remove-an-organization-role-from-a-user
/orgs/{org}/organization-roles/{role_id} GET get-an-organization-role
/orgs/{org}/organization-roles/{role_id}/teams GET list-teams-that-are-assigned-to-an-organization-role
/orgs/{org}/organization-roles/{role_id}/users GET list-users-that-are-assigned-to-an-organization-role
/orgs/{org}/organization-fine-grained-permissions GET list-organization-fine-grained-permissions-for-an-organization
orgs/personal-access-tokens
/orgs/{org}/personal-access-token-requests GET list-requests-to-access-organization-resources-with-fine-grained-personal-access-tokens POST review-requests-to-access-organization-resources-with-fine-grained-personal-access-tokens
/orgs/{org}/personal-access-token-requests/{pat_request_id} POST review-a-request-to-access-organization-resources-with-a-fine-grained-personal-access-token
/orgs/{org}/personal-access-token-requests/{pat_request_id}/repositories GET list-repositories-requested-to-be-accessed-by-a-fine-grained-personal-access-token
/orgs/{org}/personal-access-tokens GET list-fine-grained-personal-access-tokens-with-access-to-organization-resources POST update-the-access-to-organization-resources-via-fine-grained-personal-access-tokens
/orgs/{org}/personal-access-tokens/{pat_id} POST update-the-access-a-fine-grained-personal-access-token-has-to-organization-resources
/orgs/{org}/personal-access-tokens/{pat_id}/repositories GET list-repositories-a-fine-grained-personal-access-token-has-access-to
private-registries/organization-configurations
/orgs/{org}/private-registries GET list-private-registries-for-an-organization POST create-a-private-registry-for-an-organization
/orgs/{org}/private-registries/public-key GET get-private-registries-public-key-for-an-organization
/orgs/{org}/private-registries/{secret_name} GET get-a-private-registry-for-an-organization PATCH update-a-private-registry-for-an-organization DELETE delete-a-private-registry-for-an-organization
projects/projects
/orgs/{org}/projectsV2 GET list-projects-for-organization
/orgs/{org}/projectsV2/{project_number} GET get-project-for-organization
/users/{username}/projectsV2 GET list-projects-for-user
/users/{username}/projectsV2/{project_number} GET get-project-for-user
projects/drafts
/orgs/{org}/projectsV2/{project_number}/drafts POST create-draft-item-for-organization-owned-project
/user/{user_id}/projectsV2/{project_number}/drafts POST create-draft-item-for-user-owned-project
projects/fields
/orgs/{org}/projectsV2/{project_number}/fields GET list-project-fields-for-organization POST add-a-field-to-an-organization-owned-project
/orgs/{org}/projectsV2/{project_number}/fields/{field_id} GET get-project-field-for-organization
/users/{username}/projectsV2/{project_number}/fields GET list-project-fields-for-user POST add-field-to-user-owned-project
/users/{username}/projectsV2/{project_number}/fields/{field_id} GET get-project-field-for-user
projects/items
/orgs/{org}/projectsV2/{project_number}/items GET list-items-for-an-organization-owned-project POST add-item-to-organization-owned-project
/orgs/{org}/projectsV2/{project_number}/items/{item_id} GET get-an-item-for-an-organization-owned-project PATCH update-project-item-for-organization DELETE delete-project-item-for-organization
/orgs/{org}/projectsV2/{project_number}/views/{view_number}/items GET list-items-for-an-organization-project-view
/users/{username}/projectsV2/{project_number}/items GET list-items-for-a-user-owned-project POST add-item-to-user-owned-project
/users/{username}/projectsV2/{project_number}/items/{item_id} GET get-an-item-for-a-user-owned-project PATCH update-project-item-for-user DELETE delete-project-item-for-user
/users/{username}/projectsV2/{project_number}/views/{view_number}/items GET list-items-for-a-user-project-view
secret-scanning/secret-scanning
/orgs/{org}/secret-scanning/alerts GET list-secret-scanning-alerts-for-an-organization
/repos/{owner}/{repo}/secret-scanning/alerts GET list-secret-scanning-alerts-for-a-repository
/repos/{owner}/{repo}/secret-scanning/alerts/{alert_number} GET get-a-secret-scanning-alert PATCH update-a-secret-scanning-alert
/repos/{owner}/{repo}/secret-scanning/alerts/{alert_number}/locations GET list-locations-for-a-secret-scanning-alert
/repos/{owner}/{repo}/secret-scanning/push-protection-bypasses POST create-a-push-protection-bypass
/repos/{owner}/{repo}/secret-scanning/scan-history GET get-secret-scanning-scan-history-for-a-repository
secret-scanning/custom-patterns
/orgs/{org}/secret-scanning/custom-patterns GET list-organization-custom-patterns POST bulk-create-organization-custom-patterns DELETE bulk-delete-organization-custom-patterns
/orgs/{org}/secret-scanning/custom-patterns/{pattern_id} PATCH update-an-organization-custom-pattern
/repos/{owner}/{repo}/secret-scanning/custom-patterns GET list-repository-custom-patterns POST bulk-create-repository-custom-patterns DELETE bulk-delete-repository-custom-patterns
/repos/{owner}/{repo}/secret-scanning/custom-patterns/{pattern_id} PATCH update-a-repository-custom-pattern
secret-scanning/push-protection
/orgs/{org}/secret-scanning/pattern-configurations GET list-organization-pattern-configurations PATCH update-organization-pattern-configurations
security-advisories/repository-advisories
/orgs/{org}/security-advisories GET list-repository-security-advisories-for-an-organization
/repos/{owner}/{repo}/security-advisories GET list-repository-security-advisories POST create-a-repository-security-advisory
/repos/{owner}/{repo}/security-advisories/reports POST privately-report-a-security-vulnerability
/repos/{owner}/{repo}/security-advisories/{ghsa_id} GET get-a-repository-security-advisory PATCH update-a-repository-security-advisory
/repos/{owner}/{repo}/security-advisories/{ghsa_id}/cve POST request-a-cve-for-a-repository-security-advisory
/repos/{owner}/{repo}/security-advisories/{ghsa_id}/forks POST create-a-temporary-private-fork
orgs/security-managers
/orgs/{org}/security-managers GET list-security-manager-teams
/orgs/{org}/security-managers/teams/{team_slug} PUT add-a-security-manager-team DELETE remove-a-security-manager-team
orgs/network-configurations
/orgs/{org}/settings/network-configurations GET list-hosted-compute-network-configurations-for-an-organization POST create-a-hosted-compute-network-configuration-for-an-organization
/orgs/{org}/settings/network-configurations/{network_configuration_id} GET get-a-hosted-compute-network-configuration-for-an-organization PATCH update-a-hosted-compute-network-configuration-for-an-organization DELETE delete-a-hosted-compute-network-configuration-from-an-organization
/orgs/{org}/settings/network-settings/{network_settings_id} GET get-a-hosted-compute-network-settings-resource-for-an-organization
teams/members
/orgs/{org}/teams/{team_slug}/invitations GET list-pending-team-invitations
/teams/{team_id}/invitations GET list-pending-team-invitations-legacy
/teams/{team_id}/members/{username} GET get-team-member-legacy PUT add-team-member-legacy DELETE remove-team-member-legacy
actions/concurrency-groups
/repos/{owner}/{repo}/actions/concurrency_groups GET list-concurrency-groups-for-a-repository
/repos/{owner}/{repo}/actions/concurrency_groups/{concurrency_group_name} GET get-a-concurrency-group-for-a-repository
/repos/{owner}/{repo}/actions/runs/{run_id}/concurrency_groups GET list-concurrency-groups-for-a-workflow-run
repos/repos
/repos/{owner}/{repo}/activity GET list-repository-activities
/repos/{owner}/{repo}/automated-security-fixes GET check-if-dependabot-security-updates-are-enabled-for-a-repository PUT enable-dependabot-security-updates DELETE disable-dependabot-security-updates
/repos/{owner}/{repo}/hash-algorithm GET get-the-hash-algorithm-for-a-repository
/repos/{owner}/{repo}/private-vulnerability-reporting GET check-if-private-vulnerability-reporting-is-enabled-for-a-repository PUT enable-private-vulnerability-reporting-for-a-repository DELETE disable-private-vulnerability-reporting-for-a-repository
/repos/{owner}/{repo}/vulnerability-alerts GET check-if-vulnerability-alerts-are-enabled-for-a-repository PUT enable-vulnerability-alerts DELETE disable-vulnerability-alerts
repos/attestations
/repos/{owner}/{repo}/attestations POST create-an-attestation
/repos/{owner}/{repo}/attestations/{subject_digest} GET list-attestations
code-quality/code-quality
/repos/{owner}/{repo}/code-quality/findings GET list-code-quality-findings-for-a-repository
/repos/{owner}/{repo}/code-quality/findings/{finding_number} GET get-a-code-quality-finding
/repos/{owner}/{repo}/code-quality/setup GET get-a-code-quality-setup-configuration PATCH update-a-code-quality-setup-configuration
reference/code-scanning
/repos/{owner}/{repo}/code-scanning/alerts GET list-code-scanning-alerts-for-a-repository
codespaces/codespaces
/repos/{owner}/{repo}/codespaces GET list-codespaces-in-a-repository-for-the-authenticated-user POST create-a-codespace-in-a-repository
/repos/{owner}/{repo}/codespaces/devcontainers GET list-devcontainer-configurations-in-a-repository-for-the-authenticated-user
/repos/{owner}/{repo}/codespaces/new GET get-default-attributes-for-a-codespace
/repos/{owner}/{repo}/codespaces/permissions_check GET check-if-permissions-defined-by-a-devcontainer-have-been-accepted-by-the-authenticated-user
/repos/{owner}/{repo}/pulls/{pull_number}/codespaces POST create-a-codespace-from-a-pull-request
/user/codespaces GET list-codespaces-for-the-authenticated-user POST create-a-codespace-for-the-authenticated-user
/user/codespaces/{codespace_name} GET get-a-codespace-for-the-authenticated-user PATCH update-a-codespace-for-the-authenticated-user DELETE delete-a-codespace-for-the-authenticated-user
/user/codespaces/{codespace_name}/exports POST export-a-codespace-for-the-authenticated-user
/user/codespaces/{codespace_name}/exports/{export_id} GET get-details-about-a-codespace-export
/user/codespaces/{codespace_name}/publish POST create-a-repository-from-an-unpublished-codespace
/user/codespaces/{codespace_name}/start POST start-a-codespace-for-the-authenticated-user
/user/codespaces/{codespace_name}/stop POST stop-a-codespace-for-the-authenticated-user
codespaces/machines
/repos/{owner}/{repo}/codespaces/machines GET list-available-machine-types-for-a-repository
/user/codespaces/{codespace_name}/machines GET list-machine-types-for-a-codespace
codespaces/repository-secrets
/repos/{owner}/{repo}/codespaces/secrets GET list-repository-secrets
/repos/{owner}/{repo}/codespaces/secrets/public-key GET get-a-repository-public-key
/repos/{owner}/{repo}/codespaces/secrets/{secret_name} GET get-a-repository-secret PUT create-or-update-a-repository-secret DELETE delete-a-repository-secret
metrics/community
/repos/{owner}/{repo}/community/profile GET get-community-profile-metrics
dependency-graph/dependency-review
/repos/{owner}/{repo}/dependency-graph/compare/{basehead} GET get-a-diff-of-the-dependencies-between-commits
dependency-graph/sboms
/repos/{owner}/{repo}/dependency-graph/sbom GET export-a-software-bill-of-materials-sbom-for-a-repository
/repos/{owner}/{repo}/dependency-graph/sbom/fetch-report/{sbom_uuid} GET fetch-a-software-bill-of-materials-sbom-for-a-repository
/repos/{owner}/{repo}/dependency-graph/sbom/generate-report GET request-generation-of-a-software-bill-of-materials-sbom-for-a-repository
dependency-graph/dependency-submission
/repos/{owner}/{repo}/dependency-graph/snapshots POST create-a-snapshot-of-dependencies-for-a-repository
migrations/source-imports
/repos/{owner}/{repo}/import GET get-an-import-status PUT start-an-import PATCH update-an-import DELETE cancel-an-import
/repos/{owner}/{repo}/import/authors GET get-commit-authors
/repos/{owner}/{repo}/import/authors/{author_id} PATCH map-a-commit-author
/repos/{owner}/{repo}/import/large_files GET get-large-files
/repos/{owner}/{repo}/import/lfs PATCH update-git-lfs-preference
interactions/repos
/repos/{owner}/{repo}/interaction-limits GET get-interaction-restrictions-for-a-repository PUT set-interaction-restrictions-for-a-repository DELETE remove-interaction-restrictions-for-a-repository
/repos/{owner}/{repo}/interaction-limits/pulls/bypass-list GET get-pull-request-creation-cap-bypass-list-for-a-repository PUT add-users-to-the-pull-request-creation-cap-bypass-list-for-a-repository DELETE remove-users-from-the-pull-request-creation-cap-bypass-list-for-a-repository
/repos/{owner}/{repo}/interaction-limits/pulls/creation-cap GET get-pull-request-creation-cap-for-a-repository PATCH update-pull-request-creation-cap-for-a-repository
issues/issue-field-values
/repos/{owner}/{repo}/issues/{issue_number}/issue-field-values GET list-issue-field-values-for-an-issue POST add-issue-field-values-to-an-issue PUT set-issue-field-values-for-an-issue
/repos/{owner}/{repo}/issues/{issue_number}/issue-field-values/{issue_field_id} DELETE delete-an-issue-field-value-from-an-issue
issues/issues
/repos/{owner}/{repo}/issues/{issue_number}/suggestions GET list-issue-suggestions
/repos/{owner}/{repo}/issues/{issue_number}/suggestions/{suggestion_id}/approve POST approve-an-issue-suggestion
/repos/{owner}/{repo}/issues/{issue_number}/suggestions/{suggestion_id}/dismiss POST dismiss-an-issue-suggestion
pages/pages
/repos/{owner}/{repo}/pages GET get-a-apiname-pages-site POST create-a-apiname-pages-site PUT update-information-about-a-apiname-pages-site DELETE delete-a-apiname-pages-site
/repos/{owner}/{repo}/pages/builds GET list-apiname-pages-builds POST request-a-apiname-pages-build
/repos/{owner}/{repo}/pages/builds/latest GET get-latest-pages-build
/repos/{owner}/{repo}/pages/builds/{build_id} GET get-apiname-pages-build
/repos/{owner}/{repo}/pages/deployments POST create-a-github-pages-deployment
/repos/{owner}/{repo}/pages/deployments/{pages_deployment_id} GET get-the-status-of-a-github-pages-deployment
/repos/{owner}/{repo}/pages/deployments/{pages_deployment_id}/cancel POST cancel-a-github-pages-deployment
/repos/{owner}/{repo}/pages/health GET get-a-dns-health-check-for-github-pages
pulls/pulls
/repos/{owner}/{repo}/pulls/{pull_number}/merge-async PUT merge-a-pull-request-asynchronously
/repos/{owner}/{repo}/pulls/{pull_number}/merge-async/{uuid} GET get-the-result-of-an-asynchronous-merge
pulls/stacks
/repos/{owner}/{repo}/stacks GET list-pull-request-stacks POST create-a-pull-request-stack
/repos/{owner}/{repo}/stacks/{stack_number} GET get-a-pull-request-stack
/repos/{owner}/{repo}/stacks/{stack_number}/add POST add-pull-requests-to-a-pull-request-stack
/repos/{owner}/{repo}/stacks/{stack_number}/unstack POST remove-pull-requests-from-a-pull-request-stack
metrics/statistics
/repos/{owner}/{repo}/stats/code_frequency GET get-the-weekly-commit-activity
/repos/{owner}/{repo}/stats/commit_activity GET get-the-last-year-of-commit-activity
/repos/{owner}/{repo}/stats/contributors GET get-all-contributor-commit-activity
/repos/{owner}/{repo}/stats/participation GET get-the-weekly-commit-count
/repos/{owner}/{repo}/stats/punch_card GET get-the-hourly-commit-count-for-each-day
metrics/traffic
/repos/{owner}/{repo}/traffic/clones GET get-repository-clones
/repos/{owner}/{repo}/traffic/popular/paths GET get-top-referral-paths
/repos/{owner}/{repo}/traffic/popular/referrers GET get-top-referral-sources
/repos/{owner}/{repo}/traffic/views GET get-page-views
codespaces/secrets
/user/codespaces/secrets GET list-secrets-for-the-authenticated-user
/user/codespaces/secrets/public-key GET get-public-key-for-the-authenticated-user
/user/codespaces/secrets/{secret_name} GET get-a-secret-for-the-authenticated-user PUT create-or-update-a-secret-for-the-authenticated-user DELETE delete-a-secret-for-the-authenticated-user
/user/codespaces/secrets/{secret_name}/repositories GET list-selected-repositories-for-a-user-secret PUT set-selected-repositories-for-a-user-secret
/user/codespaces/secrets/{secret_name}/repositories/{repository_id} PUT add-a-selected-repository-to-a-user-secret DELETE remove-a-selected-repository-from-a-user-secret
interactions/user
/user/interaction-limits GET get-interaction-restrictions-for-your-public-repositories PUT set-interaction-restrictions-for-your-public-repositories DELETE remove-interaction-restrictions-from-your-public-repositories
migrations/users
/user/migrations GET list-user-migrations POST start-a-user-migration
/user/migrations/{migration_id} GET get-a-user-migration-status
/user/migrations/{migration_id}/archive GET download-a-user-migration-archive DELETE delete-a-user-migration-archive
/user/migrations/{migration_id}/repos/{repo_name}/lock DELETE unlock-a-user-repository
/user/migrations/{migration_id}/repositories GET list-repositories-for-a-user-migration
users/social-accounts
/user/social_accounts GET list-social-accounts-for-the-authenticated-user POST add-social-accounts-for-the-authenticated-user DELETE delete-social-accounts-for-the-authenticated-user
/users/{username}/social_accounts GET list-social-accounts-for-a-user
users/attestations
/users/{username}/attestations/bulk-list POST list-attestations-by-bulk-subject-digests
/users/{username}/attestations/delete-request POST delete-attestations-in-bulk
/users/{username}/attestations/digest/{subject_digest} DELETE delete-attestations-by-subject-digest
/users/{username}/attestations/{attestation_id} DELETE delete-attestations-by-id
/users/{username}/attestations/{subject_digest} GET list-attestations
users/users
/users/{username}/hovercard GET get-contextual-information-for-a-user
billing/usage
/users/{username}/settings/billing/ai_credit/usage GET get-billing-ai-credit-usage-report-for-a-user
/users/{username}/settings/billing/premium_request/usage GET get-billing-premium-request-usage-report-for-a-user
/users/{username}/settings/billing/usage GET get-billing-usage-report-for-a-user
/users/{username}/settings/billing/usage/summary GET get-billing-usage-summary-for-a-user
`

/** The operations whose paths also match an endpoint of the contract. The router tries these operations first. */
export const preceding = [
  { method: "GET", path: "/user/codespaces" },
  { method: "GET", path: "/user/interaction-limits" },
  { method: "GET", path: "/user/marketplace_purchases" },
  { method: "GET", path: "/user/migrations" },
  { method: "GET", path: "/user/packages" },
  { method: "GET", path: "/user/social_accounts" }
]
