// Times Pinocchio's articulated-body algorithm on the tree and samples of standard input:
// gravity, number of links; per link parent, axis (0 0 0: free), R by rows, p, m, c, I by rows;
// number of samples; per sample q, v, tau. Prints seconds per call, the better of both
// conventions, then the accelerations.
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>

#include "stopwatch.h"

using namespace pinocchio;

struct Job {
  Model model;
  Data data;
  std::vector<Eigen::VectorXd> q, v, tau;
};

template <Convention convention>
void evaluate(void *context, int i) {
  Job &job = *static_cast<Job *>(context);
  aba(job.model, job.data, job.q[i], job.v[i], job.tau[i], convention);
}

template <class Matrix>
Matrix read(int rows, int columns) {
  Matrix matrix(rows, columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) std::cin >> matrix(i, j);
  return matrix;
}
Eigen::Vector3d read3() { return read<Eigen::Matrix<double, 3, 1>>(3, 1); }
Eigen::Matrix3d read33() { return read<Eigen::Matrix3d>(3, 3); }

JointModel make_joint(const Eigen::Vector3d &axis) {
  if (axis == Eigen::Vector3d::UnitX()) return JointModelRX();
  if (axis == Eigen::Vector3d::UnitY()) return JointModelRY();
  if (axis == Eigen::Vector3d::UnitZ()) return JointModelRZ();
  if (axis.isZero()) return JointModelFreeFlyer();
  return JointModelRevoluteUnaligned(axis);
}

int main() {
  Model model;
  model.gravity.linear() = read3();
  int links, samples;
  std::cin >> links;
  for (int i = 0; i < links; i++) {
    int parent;
    std::cin >> parent;
    Eigen::Vector3d axis = read3();
    Eigen::Matrix3d R = read33();
    Eigen::Vector3d p = read3();
    double m;
    std::cin >> m;
    Eigen::Vector3d c = read3();
    Eigen::Matrix3d I = read33();
    JointIndex joint = model.addJoint(static_cast<JointIndex>(parent + 1), make_joint(axis),
                                      SE3(R, p), "joint" + std::to_string(i));
    model.appendBodyToJoint(joint, Inertia(m, c, I), SE3::Identity());
  }
  std::cin >> samples;
  Job job{model, Data(model), {}, {}, {}};
  for (int i = 0; i < samples; i++) {
    job.q.push_back(read<Eigen::VectorXd>(model.nq, 1));
    job.v.push_back(read<Eigen::VectorXd>(model.nv, 1));
    job.tau.push_back(read<Eigen::VectorXd>(model.nv, 1));
  }
  if (!std::cin) return 1;
  double local = best_seconds_per_call(evaluate<Convention::LOCAL>, &job, samples);
  double world = best_seconds_per_call(evaluate<Convention::WORLD>, &job, samples);
  std::cout << std::setprecision(17) << std::min(local, world) << "\n";
  for (int i = 0; i < samples; i++) {
    evaluate<Convention::LOCAL>(&job, i);
    std::cout << job.data.ddq.transpose() << "\n";
  }
  return std::cin ? 0 : 1;
}
